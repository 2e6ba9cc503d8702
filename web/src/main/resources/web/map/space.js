// The 3D view of the arena and its bodies. x east, y north, z up, metres, as on the server.

import * as three from '../lib/three.module.min.js';
import { GLASS, WATER } from './mesh.js';
import { bodyShape, headShape, smallBodyShape, smallHeadShape } from './body.js';
import { bodyColour, hueOf } from './page.js';
import { Detail } from './detail.js';
import { indexAt, TRAIL } from './track.js';

/** @import { Blocks, Bounds, Face, Mesh, Surface } from './mesh.js' */
/** @import { Body, Pixel, Sample, Walker } from './track.js' */
/** @import { Ray } from './acts.js' */

const MAX_BODIES = 1024;
const TRAIL_STEPS = 18;
/** More lines of shots are not drawn. */
const MAX_RAYS = 128;
const CROUCHED = 2;
const GROUNDED = 1;
/** A body's height, metres, and the maximum step of the grid of a level without walls. */
const TALL = 1.8;
const MAX_STEP = 512;
const MAX_LINES = 24;
/** A body that is lower in the picture, pixels, is drawn with fewer triangles. */
const SMALL_PIXELS = 64;

const VERTEX = `
attribute vec3 colour; attribute vec2 lightAt; attribute vec3 paper; attribute float glow;
varying vec3 vColour; varying vec2 vLight; varying vec3 vPaper; varying float vFar; varying float vGlow;
void main() {
  vColour = colour; vLight = lightAt; vPaper = paper; vGlow = glow;
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  vFar = -seen.z;
  gl_Position = projectionMatrix * seen;
}`;
const FRAGMENT = `
precision highp float; precision highp sampler2DArray;
uniform sampler2D lights; uniform sampler2DArray papers; uniform vec3 sky; uniform float mist; uniform float opacity;
varying vec3 vColour; varying vec2 vLight; varying vec3 vPaper; varying float vFar; varying float vGlow;
void main() {
  float paper = texture(papers, vPaper).r * 1.275;
  vec3 light = texture2D(lights, vLight).rgb * 2.0;
  vec3 lit = vColour * paper * mix(light, vec3(1.15), vGlow);
  lit = lit * 1.8 / (1.0 + 0.8 * lit);
  gl_FragColor = vec4(mix(lit, sky, 1.0 - exp(-vFar * mist)), opacity);
}`;

const COPY_VERTEX = `
varying vec2 vAt;
void main() {
  vAt = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;
const COPY_FRAGMENT = `
uniform sampler2D picture;
varying vec2 vAt;
void main() {
  gl_FragColor = texture2D(picture, vAt);
}`;

/** Colours are not converted between colour spaces. */
/** @param {number[]} rgb */
const plain = rgb => rgb.map(c => c / 255);

export class Space {
  camera = new three.PerspectiveCamera(65, 1, 0.1, 600);
  width = 1;
  height = 1;
  /** Minimum height of a drawn body; distant bodies are enlarged to it. */
minBodyPixels = 0;
  /** Distance between lines of the grid, metres. */
  step = 1;
  #renderer;
  /** @type {WebGL2RenderingContext} */
  #gl;
  #scene = new three.Scene();
  /** @type {three.Group | null} */
  #arena = null;
  #detail = new Detail();
  #ratio = 1;
  /** The antialiased picture, and what copies it to the canvas. */
  #smooth = new three.WebGLRenderTarget(1, 1, { samples: 4 });
  #copy;
  #figures;
  /** Where each body is drawn, in the order of the bodies. @type {{ figures: Figures, number: number }[]} */
  #drawn = [];
  #shadows;
  #trails;
  #place = new three.Object3D();
  #neck = new three.Object3D();
  #colour = new three.Color();
  #sky = new three.Color('#9fc2e6');

  /** @param {HTMLCanvasElement} canvas @throws if there is no WebGL */
  constructor(canvas) {
    this.#renderer = new three.WebGLRenderer({ canvas, antialias: false, powerPreference: 'high-performance' });
    this.#gl = /** @type {WebGL2RenderingContext} */ (this.#renderer.getContext());
    this.#renderer.outputColorSpace = three.LinearSRGBColorSpace;
    three.ColorManagement.enabled = false;
    this.camera.up.set(0, 0, 1);
    this.#scene.background = this.#sky;
    const sun = new three.DirectionalLight('#fff4dd', 1.9);
    sun.position.set(-0.5, -0.4, 0.8);
    this.#scene.add(new three.HemisphereLight('#e8f2ff', '#8a7f74', 1.9), sun);
    this.#neck.rotation.order = 'ZYX';
    this.#copy = new three.Mesh(new three.PlaneGeometry(2, 2), new three.ShaderMaterial({ uniforms: { picture: { value: this.#smooth.texture } },
      vertexShader: COPY_VERTEX, fragmentShader: COPY_FRAGMENT, blending: three.NoBlending, depthTest: false, depthWrite: false }));
    this.#copy.frustumCulled = false;
    const skin = new three.MeshLambertMaterial({ vertexColors: true });
    // Bodies show through walls. This is drawn before the bodies, so that they do not show through themselves.
    const ghost = new three.MeshBasicMaterial({ vertexColors: true, opacity: 0.8, depthFunc: three.GreaterDepth, depthWrite: false,
      blending: three.CustomBlending, blendSrc: three.SrcAlphaFactor, blendDst: three.OneMinusSrcAlphaFactor });
    const small = [smallBodyShape(), smallHeadShape()];
    this.#figures = [[bodyShape(), headShape()], small].map(shapes => new Figures(this.#scene, shapes, small, skin, ghost));
    this.#shadows = many(this.#scene, new three.CircleGeometry(0.45, 16),
      new three.MeshBasicMaterial({ color: '#000', transparent: true, opacity: 0.38, depthWrite: false }));
    const line = new three.BufferGeometry();
    line.setAttribute('position', new three.BufferAttribute(new Float32Array((MAX_BODIES * TRAIL_STEPS + MAX_RAYS) * 6), 3));
    line.setAttribute('color', new three.BufferAttribute(new Float32Array((MAX_BODIES * TRAIL_STEPS + MAX_RAYS) * 8), 4));
    this.#trails = new three.LineSegments(line, new three.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    this.#trails.frustumCulled = false;
    this.#scene.add(this.#trails);
  }

  /** @param {number} width @param {number} height @param {number} ratio */
  resize(width, height, ratio) {
    this.#ratio = ratio;
    this.camera.aspect = width / height;
    this.camera.fov = width < height ? 80 : 65;
    this.camera.updateProjectionMatrix();
    this.width = width;
    this.height = height;
  }

  /** @param {string} colour */
  sky(colour) {
    this.#sky.set(colour);
  }

  /** @param {three.Group} arena */
  #show(arena) {
    if (this.#arena) {
      this.#scene.remove(this.#arena);
      this.#arena.traverse(part => {
        if (!(part instanceof three.Mesh || part instanceof three.Line)) return;
        part.geometry.dispose();
        part.material.dispose();
      });
    }
    this.#arena = arena;
    this.#scene.add(arena);
  }

  /** Draws a level of which only the bounds are known: a floor with a grid, and a box of lines.
   * @param {Bounds} bounds
   * @param {string} colour
   */
  level([x0, y0, z0, x1, y1, z1], colour) {
    const arena = new three.Group();
    const box = new three.Box3Helper(new three.Box3(new three.Vector3(x0, y0, z0), new three.Vector3(x1, y1, z1)), colour);
    for (this.step = 1; Math.max(x1 - x0, y1 - y0) / this.step > MAX_LINES && this.step < MAX_STEP;) this.step *= 2;
    const lines = [];
    for (let x = Math.ceil(x0 / this.step) * this.step; x <= x1; x += this.step) lines.push(x, y0, z0, x, y1, z0);
    for (let y = Math.ceil(y0 / this.step) * this.step; y <= y1; y += this.step) lines.push(x0, y, z0, x1, y, z0);
    arena.add(box, segments(lines, colour, 0.7));
    this.#show(arena);
  }

  /** Draws the whole tracks of players, faintly, in a level without walls.
   * @param {Walker[]} players
   */
  tracks(players) {
    for (const { game, samples } of players) {
      /** @type {number[]} */
      const lines = [];
      samples.forEach((sample, i) => {
        const before = samples[i - 1];
        if (before && !sample.leaps) lines.push(before.x, before.y, before.z + 0.05, sample.x, sample.y, sample.z + 0.05);
      });
      this.#arena?.add(segments(lines, bodyColour(game), 0.6));
    }
  }

  /** @param {Mesh} mesh */
  mesh(mesh) {
    if ('surfaces' in mesh) {
      const arena = new three.Group();
      arena.add(new three.Mesh(polygons(mesh.surfaces), new three.MeshLambertMaterial({ vertexColors: true })));
      this.#show(arena);
      return;
    }
    const lights = new three.DataTexture(rgba(mesh.lights), mesh.width, mesh.height);
    lights.magFilter = lights.minFilter = three.LinearFilter;
    lights.needsUpdate = true;
    const papers = new three.DataArrayTexture(mesh.textures.slice(), mesh.side, mesh.side, mesh.materials);
    papers.format = three.RedFormat;
    papers.wrapS = papers.wrapT = three.RepeatWrapping;
    papers.magFilter = three.LinearFilter;
    papers.minFilter = three.LinearMipmapLinearFilter;
    papers.generateMipmaps = true;
    papers.unpackAlignment = 1;
    papers.needsUpdate = true;
    const arena = new three.Group();
    for (const material of [null, GLASS, WATER]) {
      const clear = material !== null;
      const faces = mesh.faces.filter(face => clear ? face.material === material : face.material !== GLASS && face.material !== WATER);
      const uniforms = { lights: { value: lights }, papers: { value: papers }, sky: { value: this.#sky },
        mist: { value: 0.0035 }, opacity: { value: material === GLASS ? 0.35 : material === WATER ? 0.6 : 1 } };
      const part = new three.Mesh(geometry(mesh, faces),
        new three.ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: clear, depthWrite: !clear,
          side: material === WATER ? three.DoubleSide : three.FrontSide }));
      arena.add(part);
    }
    this.#show(arena);
  }

  /** The height of a body at a place, pixels, before it is enlarged. @param {Sample} at */
  #pixels(at) {
    const { x, y, z } = this.camera.position;
    return TALL * this.height / 2 / Math.tan(this.camera.fov * Math.PI / 360) / Math.hypot(at.x - x, at.y - y, at.z - z);
  }

  /** The factor by which a body at a place is enlarged. @param {Sample} at */
  size(at) {
    return Math.max(1, this.minBodyPixels / this.#pixels(at));
  }

  /** Whether a picture can be drawn without waiting for the last one; to be asked before each frame. */
  isFree() {
    return this.#detail.isFree(this.#gl);
  }

  /** Whether the picture is drawn with less than its full detail. */
  get isCoarse() {
    return this.#detail.isCoarse;
  }

  /** @param {Body[]} bodies @param {number} time @param {boolean} trails @param {boolean} ghosts whether bodies show through walls
   * @param {boolean} hasty whether a slow browser draws it with the least detail @param {Ray[]} rays
   */
  draw(bodies, time, trails, ghosts, hasty, rays) {
    let count = 0, ends = 0;
    const { position, color } = this.#trails.geometry.attributes;
    const line = { position: /** @type {three.BufferAttribute} */ (position), color: /** @type {three.BufferAttribute} */ (color) };

    this.#drawn = [];
    for (const figures of this.#figures) figures.count = 0;
    for (const { player, at, hidden } of bodies) {
      if (count === MAX_BODIES) break;
      this.#colour.set(bodyColour(hueOf(player)));
      if (!Number.isFinite(at.x + at.y + at.z + at.yaw + at.pitch)) throw new Error(`${player.name} has no valid position: ${JSON.stringify(at)}`);
      const low = (player.stance & CROUCHED) !== 0 ? 0.66 : 1, size = hidden ? 0 : this.size(at);
      this.#place.position.set(at.x, at.y, at.z);
      this.#place.rotation.set(0, 0, at.yaw * Math.PI / 180);
      this.#place.scale.set(size, size, size * low);
      this.#place.updateMatrix();
      this.#neck.position.set(at.x, at.y, at.z + 1.5 * low * size);
      this.#neck.rotation.set(0, -at.pitch * Math.PI / 180, at.yaw * Math.PI / 180);
      this.#neck.scale.setScalar(size);
      this.#neck.updateMatrix();
      const figures = this.#figures[this.#pixels(at) * this.#ratio < SMALL_PIXELS ? 1 : 0];
      this.#drawn.push({ figures, number: figures.count });
      figures.add(this.#place.matrix, this.#neck.matrix, this.#colour);
      this.#place.position.z += 0.03;
      this.#place.scale.setScalar(size && (player.stance & GROUNDED) !== 0 ? size : 0);
      this.#place.updateMatrix();
      this.#shadows.setMatrixAt(count, this.#place.matrix);
      count++;
      if (trails && !hidden) ends = this.#trail(line, ends, player, at, time);
    }
    for (const { from, to, hue, alpha } of rays.slice(0, MAX_RAYS)) {
      this.#colour.set(bodyColour(hue));
      for (const [x, y, z] of [from, to]) {
        line.position.setXYZ(ends, x, y, z);
        line.color.setXYZW(ends++, this.#colour.r, this.#colour.g, this.#colour.b, alpha);
      }
    }
    for (const figures of this.#figures) figures.update(ghosts);
    renew(this.#shadows, count);
    this.#trails.geometry.setDrawRange(0, ends);
    for (const attribute of [line.position, line.color]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, attribute.itemSize * ends);
      attribute.needsUpdate = true;
    }
    this.#render(this.#detail.next(hasty));
  }

  /** Draws the last picture again in full detail. */
  refine() {
    this.#render(this.#detail.full());
  }

  /** @param {{ scale: number, smooth: boolean }} detail */
  #render({ scale, smooth }) {
    const renderer = this.#renderer, ratio = this.#ratio * scale, wide = Math.max(1, Math.floor(this.width * ratio)), high = Math.max(1, Math.floor(this.height * ratio));
    if (renderer.domElement.width !== wide || renderer.domElement.height !== high) renderer.setSize(wide, high, false);
    // On a screen with small pixels, edges are smooth enough.
    if (smooth && this.#ratio < 2) {
      this.#smooth.setSize(wide, high);
      renderer.setRenderTarget(this.#smooth);
      renderer.render(this.#scene, this.camera);
      renderer.setRenderTarget(null);
      renderer.render(this.#copy, this.camera);
    } else {
      renderer.render(this.#scene, this.camera);
    }
    this.#detail.begun(this.#gl);
  }

  /** Adds the trail of a body, which fades out backwards.
   * @param {{ position: three.BufferAttribute, color: three.BufferAttribute }} line
   * @param {number} from
   * @param {Walker} player
   * @param {Sample} at
   * @param {number} time
   */
  #trail(line, from, player, at, time) {
    const step = TRAIL / TRAIL_STEPS, samples = player.samples;
    let ends = from, later = at, i = indexAt(samples, time);
    if (samples[i]?.time > time) i = -1;
    for (let passed = samples[i]?.time ?? 0, steps = 0; i >= 0 && steps < TRAIL_STEPS; i--) {
      const sample = samples[i];
      if (sample.time < time - TRAIL) break;
      if (later !== at && passed - sample.time < step && !sample.leaps) continue;
      passed = sample.time;
      steps++;
      for (const end of [later, sample]) {
        line.position.setXYZ(ends, end.x, end.y, end.z + 0.25);
        line.color.setXYZW(ends, this.#colour.r, this.#colour.g, this.#colour.b, 0.75 * (1 - Math.max(0, time - end.time) / TRAIL));
        ends++;
      }
      if (sample.leaps) break;
      later = sample;
    }
    return ends;
  }

  /** The pixel of a place; null if it is behind the camera. @param {number} x @param {number} y @param {number} z @returns {Pixel | null} */
  screen(x, y, z) {
    const place = new three.Vector3(x, y, z).project(this.camera);
    if (place.z > 1 || place.z < -1) return null;
    return { x: (place.x + 1) / 2 * this.width, y: (1 - place.y) / 2 * this.height,
      far: this.camera.position.distanceTo(new three.Vector3(x, y, z)) };
  }

  /** The matrix from places (x, y, z, 1) to clip space: 16 numbers in column-major order. */
  get matrix() {
    return new three.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).toArray();
  }

  /** The drawn positions of all bodies, read from the scene. */
  drawn() {
    const matrix = new three.Matrix4();
    return this.#drawn.map(({ figures, number }) => {
      figures.bodies.getMatrixAt(number, matrix);
      return { x: matrix.elements[12], y: matrix.elements[13], z: matrix.elements[14] };
    });
  }
}

/** Bodies of one shape, which are drawn together. */
class Figures {
  count = 0;

  /** @param {three.Scene} scene @param {three.BufferGeometry[]} shapes of body and head @param {three.BufferGeometry[]} small those behind walls
   * @param {three.Material} skin @param {three.Material} ghost
   */
  constructor(scene, shapes, small, skin, ghost) {
    this.bodies = many(scene, shapes[0], skin);
    this.heads = many(scene, shapes[1], skin);
    this.ghosts = [this.bodies, this.heads].map((shown, i) => {
      const made = many(scene, small[i], ghost);
      made.instanceMatrix = shown.instanceMatrix;
      made.renderOrder = 1;
      shown.renderOrder = 2;
      return made;
    });
  }

  /** @param {three.Matrix4} body @param {three.Matrix4} head @param {three.Color} colour */
  add(body, head, colour) {
    this.bodies.setMatrixAt(this.count, body);
    this.heads.setMatrixAt(this.count, head);
    for (const each of [this.bodies, this.heads]) each.setColorAt(this.count, colour);
    this.count++;
  }

  /** Draws what was added. @param {boolean} ghosts whether bodies show through walls */
  update(ghosts) {
    [this.bodies, this.heads].forEach((shown, i) => {
      renew(shown, this.count);
      this.ghosts[i].count = ghosts ? this.count : 0;
      this.ghosts[i].instanceColor = shown.instanceColor;
    });
  }
}

/** @param {three.Scene} scene @param {three.BufferGeometry} shape @param {three.Material} material */
function many(scene, shape, material) {
  const made = new three.InstancedMesh(shape, material, MAX_BODIES);
  made.instanceMatrix.setUsage(three.DynamicDrawUsage);
  made.frustumCulled = false;
  made.count = 0;
  scene.add(made);
  return made;
}

/** Draws the first instances, which have changed. @param {three.InstancedMesh} made @param {number} count */
function renew(made, count) {
  made.count = count;
  made.instanceMatrix.clearUpdateRanges();
  made.instanceMatrix.addUpdateRange(0, 16 * count);
  made.instanceMatrix.needsUpdate = true;
  if (made.instanceColor) made.instanceColor.needsUpdate = true;
}

/** Line segments. @param {number[]} places @param {string} color @param {number} opacity */
function segments(places, color, opacity) {
  const made = new three.BufferGeometry();
  made.setAttribute('position', new three.Float32BufferAttribute(places, 3));
  return new three.LineSegments(made, new three.LineBasicMaterial({ color, opacity, transparent: true, depthWrite: false }));
}

/** Triangle fans of polygons. @param {Surface[]} surfaces */
function polygons(surfaces) {
  /** @type {number[]} */ const position = [], /** @type {number[]} */ normal = [];
  /** @type {number[]} */ const color = [], /** @type {number[]} */ index = [];
  for (const { rgb, corners, normal: looks } of surfaces) {
    const first = position.length / 3;
    corners.forEach((corner, i) => {
      position.push(...corner);
      normal.push(...looks);
      color.push(...plain(rgb));
      if (i > 1) index.push(first, first + i - 1, first + i);
    });
  }
  const made = new three.BufferGeometry();
  for (const [name, values] of Object.entries({ position, normal, color })) {
    made.setAttribute(name, new three.Float32BufferAttribute(values, 3));
  }
  made.setIndex(index);
  return made;
}

/** @param {Uint8Array} rgb */
function rgba(rgb) {
  const out = new Uint8Array(rgb.length / 3 * 4).fill(255);
  for (let i = 0, o = 0; i < rgb.length; i += 3, o += 4) out.set(rgb.subarray(i, i + 3), o);
  return out;
}

/** @param {Blocks} mesh @param {Face[]} faces */
function geometry(mesh, faces) {
  const n = faces.length;
  const position = new Float32Array(12 * n), colour = new Float32Array(12 * n), light = new Float32Array(8 * n),
    paper = new Float32Array(12 * n), glow = new Float32Array(4 * n), index = new Uint32Array(6 * n);
  faces.forEach((face, i) => {
    const { rgb, glows } = mesh.colours[face.material], [r, g, b] = plain(rgb);
    const u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
    for (let k = 0; k < 4; k++) {
      const pu = k & 1 ? face.u1 : face.u0, pv = k & 2 ? face.v1 : face.v0, vertex = 4 * i + k, at = [0, 0, 0];
      at[face.axis] = face.at;
      at[u] = pu / 2;
      at[v] = pv / 2;
      position.set(at, 3 * vertex);
      colour.set([r, g, b], 3 * vertex);
      light.set([(face.x + pu - face.u0 + 0.5) / mesh.width, (face.y + pv - face.v0 + 0.5) / mesh.height], 2 * vertex);
      // Upright on walls: along x or y, then up; a texture covers two metres.
      const [s, t] = face.axis === 0 ? [at[1], at[2]] : face.axis === 1 ? [at[0], at[2]] : [at[0], at[1]];
      paper.set([s / 2, t / 2, face.material], 3 * vertex);
      glow[vertex] = glows ? 1 : 0;
    }
    index.set((face.up ? [0, 1, 2, 2, 1, 3] : [0, 2, 1, 2, 3, 1]).map(k => 4 * i + k), 6 * i);
  });
  const made = new three.BufferGeometry();
  made.setAttribute('position', new three.BufferAttribute(position, 3));
  made.setAttribute('colour', new three.BufferAttribute(colour, 3));
  made.setAttribute('lightAt', new three.BufferAttribute(light, 2));
  made.setAttribute('paper', new three.BufferAttribute(paper, 3));
  made.setAttribute('glow', new three.BufferAttribute(glow, 1));
  made.setIndex(new three.BufferAttribute(index, 1));
  return made;
}
