//! Counts what a function allocates, for inputs of growing size.

/// What a function allocates on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    /// The number of allocations.
    pub(crate) count: u64,
    /// The most bytes that were allocated at the same time.
    pub(crate) peak: u64,
}

pub(crate) fn cost(run: impl FnOnce()) -> Cost {
    let info = allocation_counter::measure(run);
    Cost { count: info.count_total, peak: info.bytes_max }
}

/// Asserts that memory is linear in the size of the input: `run` gets the sizes n, 2n, 4n and 8n, returns the number of
/// bytes of the input, and allocates at most `factor` bytes for each of them, besides `base` bytes. The number of
/// allocations grows at most linearly, too.
pub(crate) fn assert_linear(name: &str, n: usize, (factor, base): (u64, u64), run: impl Fn(usize) -> Case) {
    let costs = [1, 2, 4, 8].map(|times| {
        let Case { bytes, run } = run(times * n);
        (bytes, cost(run))
    });
    for (bytes, Cost { peak, .. }) in costs {
        assert!(peak <= factor * bytes as u64 + base, "{name}: {peak} bytes for {bytes}: {costs:?}");
    }
    // Eight times the input may take nine times the allocations; a quadratic number would be 64 times as many.
    assert!(costs[3].1.count <= 9 * costs[0].1.count + 200, "{name}: {costs:?}");
    assert!(costs[3].1.peak <= 10 * costs[0].1.peak, "{name}: {costs:?}");
}

/// An input, and what is done with it.
pub(crate) struct Case {
    /// The length of the input.
    pub(crate) bytes: usize,
    pub(crate) run: Box<dyn FnOnce()>,
}

/// What is done with a text.
pub(crate) fn of(text: impl Into<Vec<u8>>, run: impl FnOnce(&[u8]) + 'static) -> Case {
    let text = text.into();
    Case { bytes: text.len(), run: Box::new(move || run(&text)) }
}
