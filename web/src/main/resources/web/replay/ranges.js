// A file on an HTTP server, of which only parts are fetched.

/** The pauses before a request is sent again whose connection failed: a server that restarts ends no replay. */
const RETRY_MILLIS = [250, 1000, 4000];

/** @typedef {{ size: number, read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> }} PartialFile to is exclusive */

/** Opens a file of a server, which must support ranges.
 * @param {string | URL} url
 * @returns {Promise<PartialFile>}
 */
export async function openUrl(url) {
  const head = await request(url, { method: 'HEAD' }, async answer => answer);
  if (!head.ok) throw new Error(`the server answers ${head.status} ${head.statusText} for ${url}`);
  const size = Number(head.headers.get('Content-Length') ?? NaN);
  if (!Number.isSafeInteger(size)) throw new Error(`the server does not report the size of ${url}`);
  return {
    size,
    async read(from, to, signal) {
      if (from === to) return new Uint8Array();
      return request(url, { headers: { Range: `bytes=${from}-${to - 1}` }, signal }, async answer => {
        if (answer.status === 200) {
          await answer.body?.cancel();
          throw new Error('the server hands out whole files only: put the recording on one that supports ranges (Accept-Ranges: bytes)');
        }
        if (answer.status !== 206) throw new Error(`the server answers ${answer.status} ${answer.statusText} for bytes ${from} to ${to - 1}`);
        // Not readable from other origins, where the length is checked only.
        const total = answer.headers.get('Content-Range')?.split('/')[1];
        if (total && total !== '*' && Number(total) !== size) throw new Error('the recording has changed on the server: reload this page');
        const bytes = new Uint8Array(await answer.arrayBuffer());
        if (bytes.length !== to - from) throw new Error(`the server sent ${bytes.length} of ${to - from} bytes`);
        return bytes;
      });
    },
  };
}

/** Sends a request, again if its connection fails, and takes the answer.
 * @template T
 * @param {string | URL} url
 * @param {RequestInit} options
 * @param {(answer: Response) => Promise<T>} take
 * @returns {Promise<T>}
 */
async function request(url, options, take) {
  for (let tries = 0; ; tries++) {
    try {
      return await take(await fetch(url, options));
    } catch (failure) {
      // What fails below HTTP is a TypeError.
      if (options.signal?.aborted || !(failure instanceof TypeError)) throw failure;
      if (tries === RETRY_MILLIS.length) throw new Error(`${new URL(url, location.href).host} cannot be reached, or does not allow pages of other servers (CORS)`, { cause: failure });
    }
    await new Promise(go => setTimeout(go, RETRY_MILLIS[tries]));
  }
}
