// Crossover view: time against size, and the size at which the order of search and SAT changes.

function buildCrossover(data, selection, options) {
  const measure = measureOf(data, options.y), { rows, notes } = supportedRows(data, selection, measure), size = numbersOf(data, options.x);
  const sized = rows.filter((row) => !Number.isNaN(size(row)));
  const without = rows.length - sized.length;
  if (without > 0) notes.push(`${counted(without, "run")} without ${columnLabel(data, options.x)} left out.`);
  const panels = panelsOf(facetsOf(data, sized, options.facet), (part) => ({
    title: part.title, rows: part.rows, x: null, y: measureAxis(measure),
    series: byEngine(data, part.rows).map(([index, own]) => {
      const groups = [...groupRows(own, size)].sort((g, h) => g[0] - h[0]);
      const points = groups.map(([x, group]) => crossoverPoint(data, x, group, measure));
      return engineSeries(data, index, "line", points.filter((point) => point !== null));
    }),
  }));
  const axis = sizeAxis(data, options.x, panels);
  const label = columnLabel(data, options.x), findings = [];
  for (const panel of panels) {
    const { guides, said } = flipOf(data, panel.rows, measure, size, label);
    Object.assign(panel, { x: axis, guides });
    if (said) findings.push(panel.title ? `${panel.title}: ${said}` : said);
  }
  return { name: "crossover", title: `${upperFirst(measure.label)} against ${label}`, panels, notes: [...findings, ...notes] };
}

/**
 * The median of the runs of one size with its interval. If half of the runs or more are unsolved, the limit, or null if
 * there is none.
 */
function crossoverPoint(data, x, rows, measure) {
  const values = censoredValues(data, rows, measure), median = censoredMedian(values), limit = limitOf(rows, measure);
  const label = ofAtLimit(values.length - finiteIn(values), values.length);
  if (median === null) return limit > 0 ? limitPoint(x, limit, rows, { label }) : null;
  const { low, high } = medianInterval(values);
  return measuredPoint(x, median, rows, { low, high: high === Infinity && limit > 0 ? limit : high, label });
}

/**
 * A guide at the size at which the order of the best search and the best SAT engine changes, and a sentence about it.
 * For counters, there is no guide and no sentence, because nodes of a search and conflicts of a solver cannot be
 * compared.
 */
function flipOf(data, rows, measure, size, label) {
  const sides = /^work(_|$)/.test(measure.name) ? null : bestOfSides(data, rows, measure);
  if (!sides) return { guides: [], said: null };
  const { engine, instance } = runsOf(data);
  const scored = (own) => {
    const median = censoredMedian(censoredValues(data, own, measure)), limit = limitOf(own, measure);
    return median === null && !(limit > 0) ? null : { solved: median !== null, value: median, limit };
  };
  const pairs = (group) => [...groupRows(group, (row) => instance[row]).values()]
    .map((own) => sides.map((index) => scored(own.filter((row) => engine[row] === index))))
    .filter(([first, second]) => first && second);
  const groups = [...groupRows(rows, size)].sort((g, h) => g[0] - h[0]).map(([x, group]) => ({ x, pairs: pairs(group) }));
  return flipWords(crossoverOf(groups), sides.map((index) => data.engines[index]), label);
}

function flipWords({ changes, ahead, interval, share }, names, label) {
  const ordered = (side) => (side < 0 ? names : [names[1], names[0]]), last = changes.at(-1);
  if (!last) return { guides: [], said: ahead === 0 ? null : `${ordered(ahead)[0]} is ahead of ${ordered(ahead)[1]} at every size where both are known.` };
  const [winner, loser] = ordered(last.ahead), { earliest, latest } = last;
  const often = changes.length === 1 ? "" : ` The order changes ${changes.length} times; this is the last.`;
  if (earliest !== latest) {
    return { guides: [], said: `Between ${label} = ${shortDigits(earliest)} and ${shortDigits(latest)} ${winner} gets ahead of ${loser}.${often}` };
  }
  const [low, high] = interval ?? [earliest, earliest];
  const within = `95 % interval ${shortDigits(low)} to ${shortDigits(high)}, of the ${shortDigits(Math.round(100 * share))} % of resamples that cross`;
  return {
    guides: [{ line: { upright: { at: earliest, low, high } }, label: `${label}* = ${shortDigits(earliest)}` }],
    said: `From ${label}* = ${shortDigits(earliest)} on (${within}) ${winner} is ahead of ${loser}.${often}`,
  };
}

function upperFirst(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

registerView({
  id: "crossover", title: "Crossover",
  needs: (data) => (sizeChoices(data).length > 0 ? true : "no parameter that is a number varies"),
  options: (data) => [sizeOption(data, "crossover"), measureOption(data, "crossover"), facetOption(data, "crossover")],
  build: buildCrossover,
  understanding: `<p>Each line is an engine: the median over its runs of each size, in a band that holds the true median with
    95 % certainty (order statistics; with few runs the band is their whole range). On the logarithmic axis, a straight line
    is exponential growth: the steeper the line, the larger the base.</p>
    <p class="better">Better: <b>↓ low</b>.</p>
    <p>An open triangle on the rim: half or more of the runs of this size reached a limit, so there is no median, and the
    line stops before it. <b>n*</b> is the size at which the order of the best search and the best SAT engine shown
    changes; its band is the 95 % interval over resampled instances. For nodes and conflicts, which cannot be compared,
    there is no n*. ${CENSORED}</p>`,
});
