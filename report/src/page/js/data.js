// The records. They are inflated once, and a column is unpacked when it is first used. A column of words consists of
// codes into a list of values, in which null means absent. In a column of numbers, NaN means absent.

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

/** The data of the page, from its JSON: see `Data` in the tests' fixture for the shape. */
async function decode(raw) {
  if (raw.format !== 1) throw new Error(`the data has format ${raw.format}; this page reads format 1`);
  const bytes = await inflate(unbase64(raw.payload));
  const described = new Map(raw.columns.map((column) => [column.name, column]));
  const made = new Map();
  const data = { raw, count: raw.count, engines: raw.engines, names: [...described.keys()] };

  data.has = (name) => described.has(name);
  data.column = (name) => {
    if (!made.has(name) && described.has(name)) made.set(name, unpack(described.get(name), bytes, raw.count));
    return made.get(name);
  };
  data.get = (name, row) => {
    const column = data.column(name);
    if (!column) return null;
    if (column.codes) return column.values[column.codes[row]];
    if (column.hex) return hexAt(column, row);
    const value = column.numbers[row];
    return Number.isNaN(value) ? null : value;
  };
  return data;
}

function unbase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Unpacks a column from its planes, which are all first bytes of its elements, then all second bytes, and so on. */
function unpack(column, bytes, count) {
  const { name, type, at, values } = column;
  const label = column.label ?? labelOf(name);
  const size = type.startsWith("hex") ? Number(type.slice(3)) : ARRAYS[type].BYTES_PER_ELEMENT;
  const woven = new Uint8Array(count * size);
  for (let plane = 0; plane < size; plane += 1) {
    for (let i = 0, from = at + plane * count; i < count; i += 1) woven[i * size + plane] = bytes[from + i];
  }
  if (type.startsWith("hex")) return { name, label, size, hex: woven };
  // The numbers are little-endian, as on all machines that browsers run on.
  const numbers = new ARRAYS[type](woven.buffer);
  return values ? { name, label, values, codes: numbers } : { name, label, numbers };
}

function hexAt(column, row) {
  let text = "";
  for (let i = row * column.size; i < (row + 1) * column.size; i += 1) text += column.hex[i].toString(16).padStart(2, "0");
  return text;
}

/** The first row whose key agrees with `key` on the length of the shorter one; null if there is none. */
function rowOfKey(data, key) {
  const column = data.column("key");
  const length = Math.min(column.size * 2, key.length);
  if (length < 2 || !/^[0-9a-f]+$/.test(key)) return null;
  const start = parseInt(key.slice(0, 2), 16);
  for (let row = 0; row < data.count; row += 1) {
    if (column.hex[row * column.size] === start && hexAt(column, row).slice(0, length) === key.slice(0, length)) return row;
  }
  return null;
}

const LABELS = {
  cpu_s: "CPU time", wall_s: "wall time", build_cpu_s: "building", solve_cpu_s: "solving", check_cpu_s: "checking",
  prove_cpu_s: "proving", process_cpu_s: "whole process", process_wall_s: "whole process, wall", peak_bytes: "memory", proof_bytes: "proof",
  pressure_percent: "pressure, %", start_s: "started after", limits_cpu_s: "CPU limit", limits_wall_s: "wall limit",
  limits_proof_s: "proof limit", limits_memory_bytes: "memory limit", limits_work: "work limit", limit: "limit reached", surroundings: "environment",
  tags_family: "family tags", tags_engine: "engine tags",
};

/** The name of a column for readers: "n" for `params_n`, "amo" for `axes_amo`. */
function labelOf(name) {
  return LABELS[name] ?? name.replace(/^(params|axes|rules|work|limits)_/, "").replaceAll("_", " ");
}
