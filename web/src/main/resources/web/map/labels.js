// Names beside their bodies, on a canvas above the picture. Who is nearer is named first; a name that has no room is left out,
// and where it was shown a moment ago it is let stay, so that nothing flickers.

const CELL = 24;

export class Labels {
  #canvas;
  #context;
  #widths = new Map();
  #shown = new Set();

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
  }

  resize(width, height, ratio) {
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.width = width;
    this.height = height;
  }

  /** @param places of {id, text, x, y, far, colour, followed}, in pixels */
  draw(places, back) {
    const context = this.#context;
    context.clearRect(0, 0, this.width, this.height);
    context.font = '600 12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeStyle = back;
    const rank = place => (place.followed ? -1e9 : 0) + place.far - (this.#shown.has(place.id) ? 4 : 0);
    const taken = new Set(), shown = new Set();
    for (const place of places.sort((a, b) => rank(a) - rank(b))) {
      const width = this.#width(place.text);
      const left = place.x - width / 2 - 3, right = place.x + width / 2 + 3, top = place.y - 9, bottom = place.y + 9;
      if (right < 0 || left > this.width || bottom < 0 || top > this.height) continue;
      const cells = [];
      for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x++) {
        for (let y = Math.floor(top / 9); y <= Math.floor(bottom / 9); y++) cells.push(x + 10000 * y);
      }
      if (cells.some(cell => taken.has(cell))) continue;
      cells.forEach(cell => taken.add(cell));
      shown.add(place.id);
      context.strokeText(place.text, left + 3, place.y);
      context.fillStyle = place.colour;
      context.fillText(place.text, left + 3, place.y);
    }
    this.#shown = shown;
  }

  #width(text) {
    let width = this.#widths.get(text);
    if (width === undefined) {
      if (this.#widths.size > 2000) this.#widths.clear();
      this.#widths.set(text, width = this.#context.measureText(text).width);
    }
    return width;
  }

  /** Whose names are seen, as ids. */
  get shown() {
    return [...this.#shown];
  }
}
