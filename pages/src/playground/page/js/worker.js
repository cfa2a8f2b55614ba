// Runs in a worker: the library as a WebAssembly module. The first message is the compiled module, each later one a request
// as JSON. Each request is answered by one message: the answer as JSON, and how long it took; or why the module failed.

let library = null;

onmessage = async ({ data }) => {
  if (library === null) {
    library = WebAssembly.instantiate(data).then((instance) => instance.exports);
    library.catch(() => { /* The first request reports it. */ });
    return;
  }
  // Without this, the page would learn nothing: an error in an asynchronous function does not reach `onerror` of a worker.
  try {
    const { feed, answer, byte } = await library;
    const start = performance.now();
    for (const each of new TextEncoder().encode(data)) feed(each);
    const bytes = Uint8Array.from({ length: answer() }, (_, at) => byte(at));
    postMessage({ answer: new TextDecoder().decode(bytes), milliseconds: performance.now() - start });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
