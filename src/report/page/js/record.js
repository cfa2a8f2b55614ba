// The record of a run in a dialog.

/** Opens one record, or a list of several. */
function openRecords(rows) {
  go(() => { state.record = shown.data.get("key", rows[0]); });
}

function showRecord() {}
