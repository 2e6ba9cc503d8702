// The marks of an axis, which all charts have alike; a report takes this file into its page.

/** Round numbers from 0 up to a maximum, and how many decimals they need: steps are 1, 2 or 5 times a power of ten.
 * @param {number} max above 0
 * @param {number} [count] the wanted number of steps
 * @param {number} [least] the smallest step: 1 for numbers of things
 */
export function ticksOf(max, count = 5, least = 0) {
  const raw = max / count, power = 10 ** Math.floor(Math.log10(raw)), ratio = raw / power;
  // The thresholds are the geometric means of the neighbouring steps.
  const step = Math.max(least, power * (ratio >= Math.sqrt(50) ? 10 : ratio >= Math.sqrt(10) ? 5 : ratio >= Math.sqrt(2) ? 2 : 1));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const values = Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, i) => Number((i * step).toFixed(decimals)));
  return { step, decimals, values };
}

/** The smallest round number at a maximum or above it, for the end of an axis. @param {number} max above 0 @param {number} [count] @param {number} [least] */
export function roundUp(max, count = 5, least = 0) {
  const { step, decimals } = ticksOf(max, count, least);
  return Number((Math.ceil(max / step - 1e-9) * step).toFixed(decimals));
}
