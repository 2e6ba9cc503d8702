// The fields of a line in the list.

/**
 * Fields in JSON, without its quotes and escapes: texts as they are.
 * @param {string} json an object, which may be cut anywhere
 * @returns {string}
 */
export function fieldsText(json) {
  return json.slice(1, -1).replace(/"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*)(?:"|\\?$|\\u[0-9a-f]{0,3}$)/gi, (_, text) => JSON.parse('"' + text + '"'));
}
