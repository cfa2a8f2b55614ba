// The style of series: an engine has the same colour, marker and dash in every chart. Readers with protanopia and
// deuteranopia can distinguish the colours (OKLab distance after Machado et al. 2009), and their contrast to
// the background is at least 3.

/**
 * The colours of series in saved files, whose background is white. On the page, colours follow the theme;
 * `style/charts.css` has the same light colours.
 */
const PRINT_SERIES = ["#004eeb", "#f2670b", "#08a498", "#6e588a", "#8e5413", "#2f90fa", "#680087", "#3b413e"];

const SCREEN = {
  series: (style) => `var(--series-${style % 8})`,
  ink: "var(--ink)", soft: "var(--soft)", line: "var(--line)", paper: "var(--panel)", bad: "var(--bad)", rim: "var(--rim)",
};

const PRINT = {
  series: (style) => PRINT_SERIES[style % 8],
  ink: "#1b1d21", soft: "#565b64", line: "#d9d9d2", paper: "#ffffff", bad: "#a81e12", rim: "#9a9a90",
};

/** The colour of a series. Series that are not engines have the colour of text. */
function colourOf(series, palette) {
  return series.plain ? palette.ink : palette.series(series.style);
}

const DASHES = [null, "7 3", "2 3", "9 3 2 3"];

/** The dash pattern of a line. From the ninth engine on, colours repeat with another pattern. */
function dashOf(series) {
  return series.variant === "second" ? "4 3" : DASHES[Math.floor(series.style / 8) % DASHES.length];
}

/** The outlines of markers around a position. With equal `r`, their areas are about equal. */
const MARKERS = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => polygon(x, y, r * 1.25, 4, Math.PI / 4),
  (x, y, r) => polygon(x, y, r * 1.3, 4, 0),
  (x, y, r) => polygon(x, y, r * 1.4, 3, Math.PI / 2),
  (x, y, r) => cross(x, y, r * 1.25, 0),
  (x, y, r) => star(x, y, r * 1.45),
  (x, y, r) => cross(x, y, r * 1.25, Math.PI / 4),
  (x, y, r) => polygon(x, y, r * 1.2, 6, 0),
];

/**
 * The outline of a marker. From the ninth engine on, the markers are shifted against the colours, so that engines with
 * the same colour have different markers.
 */
function markerPath(style, x, y, r) {
  return MARKERS[(style + 3 * Math.floor(style / 8)) % MARKERS.length](round1(x), round1(y), r);
}

/** A triangle that points towards the rim, which means "at least". */
function limitPath(x, y, r, rim) {
  return polygon(round1(x), round1(y), r * 1.4, 3, rim === "x" ? 0 : rim === "xy" ? -Math.PI / 4 : -Math.PI / 2);
}

/** A cross of two strokes. */
function wrongPath(x, y, r) {
  return `M${round1(x - r)} ${round1(y - r)}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
}

function polygon(x, y, r, corners, turn) {
  return outline(x, y, d3.range(corners).map((k) => [r, turn + (2 * Math.PI * k) / corners]));
}

function star(x, y, r) {
  return outline(x, y, d3.range(10).map((k) => [k % 2 ? r * 0.45 : r, -Math.PI / 2 + (Math.PI * k) / 5]));
}

function cross(x, y, r, turn) {
  const narrow = Math.atan(1 / 3), inner = (r * Math.SQRT2) / 3;
  return outline(x, y, d3.range(4).flatMap((k) => {
    const at = turn + (Math.PI * k) / 2;
    return [[r, at - narrow], [r, at + narrow], [inner, at + Math.PI / 4]];
  }));
}

function outline(x, y, corners) {
  return `M${corners.map(([r, at]) => `${round1(x + r * Math.cos(at))} ${round1(y + r * Math.sin(at))}`).join("L")}z`;
}

function round1(value) {
  return Math.round(value * 10) / 10;
}

/** Sets several attributes. An attribute whose value is null is not set. */
function attrs(selection, values) {
  for (const [name, value] of Object.entries(values)) selection.attr(name, value);
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

let ruler = null;

/** Width of a text in pixels. */
function textWidth(text, size) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `${size}px ${FONT}`;
  return ruler.measureText(text).width;
}

/**
 * The text or, if it does not fit, its beginning and end with "…" between them. The end is kept because ids often
 * differ there.
 */
function fitText(text, size, width) {
  if (textWidth(text, size) <= width) return text;
  let least = 0, most = text.length;
  while (least < most) {
    const kept = Math.ceil((least + most) / 2);
    if (textWidth(shortened(text, kept), size) <= width) least = kept; else most = kept - 1;
  }
  return shortened(text, least);
}

function shortened(text, kept) {
  const tail = Math.ceil(kept * 0.6);
  return `${text.slice(0, kept - tail)}…${tail === 0 ? "" : text.slice(-tail)}`;
}
