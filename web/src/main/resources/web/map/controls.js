// Keyboard, mouse, touch and wheel input on the picture.

const MOVING = new Set(['KeyW', 'KeyA', 'KeyS', 'KeyD', 'KeyQ', 'KeyE', 'ShiftLeft', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);
const TURN = 0.22;

/** @import { Camera } from './camera.js' */
/** @typedef {{ zoom: number, drag(dx: number, dy: number): void, closer(part: number): void }} Plan the arena from above */
/** @typedef {{ view(): void, next(by: number): void, free(): void, all(): void, pick(x: number, y: number): void }} Acts */

/**
 * @param {HTMLElement} stage
 * @param {Camera} camera
 * @param {Plan | null} top
 * @param {Acts} acts called for the inputs
 */
export function controls(stage, camera, top, acts) {
  /** @type {Map<number, { x: number, y: number }>} */
  const fingers = new Map();
  let moved = 0;
  const plan = () => camera.view === 'top' ? top : null;
  /** @param {number} part */
  const zoom = part => {
    const above = plan();
    if (above) above.closer(part);
    else camera.closer(part);
  };
  stage.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (MOVING.has(event.code)) camera.keys.add(event.code);
    else if (event.code === 'KeyV') acts.view();
    else if (event.code === 'KeyN') acts.next(1);
    else if (event.code === 'KeyP') acts.next(-1);
    else if (event.code === 'Home') acts.all();
    else if (event.key === '+') zoom(1);
    else if (event.key === '-') zoom(-1);
    else if (event.key === 'Escape') acts.free();
    else return;
    event.preventDefault();
  });
  stage.addEventListener('keyup', event => camera.keys.delete(event.code));
  stage.addEventListener('blur', () => camera.keys.clear());
  stage.addEventListener('pointerdown', event => {
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = 0;
  });
  stage.addEventListener('pointermove', event => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x, dy = event.clientY - last.y;
    const above = plan();
    moved += Math.abs(dx) + Math.abs(dy);
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    const before = fingers.size === 2 ? spread() : 0;
    last.x = event.clientX;
    last.y = event.clientY;
    if (fingers.size === 2) {
      zoom((spread() - before) / 40);
      if (above) above.drag(dx / 2, dy / 2);
      else if (camera.view === 'free') camera.go(0, -dx / 60, dy / 60);
    } else if (above) {
      above.drag(dx, dy);
    } else if (event.buttons & 2) {
      camera.go(0, -dx / 25, dy / 25);
    } else {
      camera.turn(dx * TURN, -dy * TURN);
    }
  });
  /** @param {PointerEvent} event */
  const lift = event => {
    if (fingers.delete(event.pointerId) && moved < 5 && event.type === 'pointerup') {
      const box = stage.getBoundingClientRect();
      acts.pick(event.clientX - box.left, event.clientY - box.top);
    }
  };
  stage.addEventListener('pointerup', lift);
  stage.addEventListener('pointercancel', lift);
  stage.addEventListener('contextmenu', event => event.preventDefault());
  stage.addEventListener('wheel', event => {
    event.preventDefault();
    zoom(-Math.sign(event.deltaY));
  }, { passive: false });
}
