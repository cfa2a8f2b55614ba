// The library in workers: asks it, cancels it, and limits its time.

/** The module's bytes, from their deflated form in base64. */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** A refusal: the message of the library, and the place in the board's text if it has one. */
class Refusal extends Error {
  constructor({ error, line, column }) {
    super(error);
    Object.assign(this, { line, column });
  }
}

/** One worker. Requests are answered one after the other. A worker that was stopped or that failed is replaced by a new one at the next
 * request. */
class Library {
  /** `module` is a promise of the compiled module, which all workers share. */
  constructor(script, module) {
    this.url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.module = module;
    this.waiting = [];
    this.worker = null;
    module.then((compiled) => this.start(compiled)).catch(() => { /* The next request fails, too, and its error is shown. */ });
  }

  /** Starts a worker if there is none. */
  start(module) {
    if (this.worker !== null) return;
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => {
      if (data.failed === undefined) this.waiting.shift()?.resolve(data);
      else this.stop(new Error(`the library stopped; it probably needed more than 1 GiB of memory (${data.failed})`));
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.stop(new Error(`the library did not start: ${event.message ?? "this browser refuses its worker"}`));
    };
    this.worker.postMessage(module);
  }

  /** Whether a request has no answer yet. */
  get isBusy() {
    return this.waiting.length > 0;
  }

  stop(reason) {
    this.worker?.terminate();
    this.worker = null;
    const waiting = this.waiting.splice(0);
    waiting.forEach(({ reject }) => reject(reason));
  }

  /** The answer to a request, with the time that it took. After `seconds`, the worker is stopped. */
  async ask(request, seconds = Infinity) {
    this.start(await this.module);
    const limit = Number.isFinite(seconds)
      ? setTimeout(() => this.stop(new Error(`stopped after ${seconds} s`)), seconds * 1000) : undefined;
    const sent = new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
    this.worker.postMessage(JSON.stringify(request));
    try {
      const { answer, milliseconds } = await sent;
      const found = JSON.parse(answer);
      if (found.error !== undefined) throw new Refusal(found);
      return { ...found, milliseconds };
    } finally {
      clearTimeout(limit);
    }
  }
}
