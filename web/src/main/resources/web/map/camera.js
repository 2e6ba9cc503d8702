// Where the picture is looked at from: free, after a player, or with its eyes. Angles are the arena's: degrees from east, up.

const EYES = 1.6;
const STEP = 12;
const rad = Math.PI / 180;
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

export class Camera {
  view = 'free';
  x = 0; y = 0; z = 12;
  yaw = 90; pitch = -25;
  away = 6;
  /** Whether it turned from behind the followed: it then stays where it was turned to. */
  #turned = 0;
  keys = new Set();

  /** Sees the whole of a place from above its south-west: a roof is seen from below alone. A narrow picture is farther. */
  frame([x0, y0, z0, x1, y1, z1], aspect) {
    const side = Math.max(x1 - x0, y1 - y0) * Math.max(1, 0.95 / aspect);
    this.x = (x0 + x1) / 2 - side * 0.34;
    this.y = (y0 + y1) / 2 - side * 0.56;
    this.z = z0 + side * 0.54;
    this.yaw = Math.atan2((y0 + y1) / 2 - this.y, (x0 + x1) / 2 - this.x) / rad;
    this.pitch = -38;
  }

  turn(yaw, pitch) {
    this.yaw = (this.yaw + yaw + 360) % 360;
    this.pitch = clamp(this.pitch + pitch, -89, 89);
    this.#turned = 3;
  }

  /** Ahead, to the right, up; metres. */
  go(ahead, right, up) {
    const c = Math.cos(this.yaw * rad), s = Math.sin(this.yaw * rad);
    this.x += c * ahead + s * right;
    this.y += s * ahead - c * right;
    this.z += up + (ahead ? Math.sin(this.pitch * rad) * ahead : 0);
  }

  closer(part) {
    if (this.view === 'free') this.go(part * 4, 0, 0);
    else this.away = clamp(this.away * (1 - part * 0.2), 2, 40);
  }

  /** Moves by the keys that are held and after who is followed, and has the camera look. */
  update(seconds, target, three) {
    const held = (a, b) => (this.keys.has(a) ? 1 : 0) - (this.keys.has(b) ? 1 : 0);
    const turn = 100 * seconds;
    const yaw = held('ArrowLeft', 'ArrowRight') * turn, pitch = held('ArrowUp', 'ArrowDown') * turn;
    if (yaw || pitch) this.turn(yaw, pitch);
    if (this.view === 'eyes' && target) {
      const low = (target.player.stance & 2) !== 0 ? 0.6 : 0;
      this.#look(three, target.at.x, target.at.y, target.at.z + EYES - low, target.at.yaw, target.at.pitch);
      return;
    }
    if (this.view === 'follow' && target) {
      this.#turned = Math.max(0, this.#turned - seconds);
      if (this.#turned === 0) {
        const behind = ((target.at.yaw - this.yaw + 540) % 360) - 180;
        this.yaw += behind * Math.min(1, 2.5 * seconds);
        this.pitch += (-18 - this.pitch) * Math.min(1, 2 * seconds);
      }
      const flat = Math.cos(this.pitch * rad) * this.away;
      this.x = target.at.x - Math.cos(this.yaw * rad) * flat;
      this.y = target.at.y - Math.sin(this.yaw * rad) * flat;
      this.z = target.at.z + EYES - Math.sin(this.pitch * rad) * this.away;
    } else {
      const step = STEP * seconds * (this.keys.has('ShiftLeft') ? 3 : 1);
      this.go(held('KeyW', 'KeyS') * step, held('KeyD', 'KeyA') * step, held('KeyE', 'KeyQ') * step);
    }
    this.#look(three, this.x, this.y, this.z, this.yaw, this.pitch);
  }

  #look(three, x, y, z, yaw, pitch) {
    three.position.set(x, y, z);
    const flat = Math.cos(pitch * rad);
    three.lookAt(x + Math.cos(yaw * rad) * flat, y + Math.sin(yaw * rad) * flat, z + Math.sin(pitch * rad) + 1e-6);
    three.updateMatrixWorld();
  }
}
