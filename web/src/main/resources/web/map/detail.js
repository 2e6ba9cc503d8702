// How finely the 3D view is drawn, by the time that its pictures take: a browser without a graphics card takes 0.3 s for one in full detail.

/** A picture that takes at least this time is not fast, milliseconds: at 60 pictures per second each takes 17 ms. */
const FAST_MILLIS = 20;
/** Consecutive slow or fast pictures until the detail changes: the first pictures of an arena are slow everywhere. */
const SLOW_PICTURES = 2, FAST_PICTURES = 60;

/** From full to least detail: the scale of the resolution, whether edges are smooth, and when a picture is slow, milliseconds. Smooth edges double the
 * time of a picture in software. A quarter of the pixels saves a third of the rest, but is blurred: for a moment after a jump, or where nothing else helps. */
const STEPS = [{ scale: 1, smooth: true, slow: 50 }, { scale: 1, smooth: false, slow: 150 }, { scale: 0.5, smooth: false, slow: Infinity }];

/** A picture that has not changed for this time, milliseconds, is drawn in full detail. */
export const REST_MILLIS = 250;

export class Detail {
  /** The step of pictures that change, and that of the last picture. */
  #step = 0;
  #last = 0;
  #begun = 0;
  #slow = 0;
  #fast = 0;
  /** Signalled when the last picture is drawn. @type {WebGLSync | null} */
  #fence = null;

  /** Whether the last picture has less than full detail. */
  get isCoarse() {
    return this.#last > 0;
  }

  /** The detail of a picture that changes. @param {boolean} hasty whether a slow browser draws the least, as after a jump in time */
  next(hasty) {
    return STEPS[this.#last = hasty && this.#step > 0 ? STEPS.length - 1 : this.#step];
  }

  /** The detail of a picture that stays. */
  full() {
    return STEPS[this.#last = 0];
  }

  /** Notes that a picture is being drawn. @param {WebGL2RenderingContext} gl */
  begun(gl) {
    // An earlier picture is still being timed.
    if (this.#fence) return;
    this.#begun = performance.now();
    this.#fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Whether a slow browser has drawn the last picture: another one would only wait behind it.
   * @param {WebGL2RenderingContext} gl
   */
  isFree(gl) {
    if (this.#fence && gl.clientWaitSync(this.#fence, 0, 0) !== gl.TIMEOUT_EXPIRED) {
      gl.deleteSync(this.#fence);
      this.#fence = null;
      if (this.#last === this.#step) this.#took(performance.now() - this.#begun);
    }
    return !this.#fence || this.#step === 0;
  }

  /** @param {number} millis of a picture */
  #took(millis) {
    this.#slow = millis > STEPS[this.#step].slow ? this.#slow + 1 : 0;
    this.#fast = millis < FAST_MILLIS ? this.#fast + 1 : 0;
    const step = this.#slow === SLOW_PICTURES ? 1 : this.#fast === FAST_PICTURES ? -1 : 0;
    if (step === 0) return;
    this.#step = Math.min(STEPS.length - 1, Math.max(0, this.#step + step));
    this.#slow = this.#fast = 0;
  }
}
