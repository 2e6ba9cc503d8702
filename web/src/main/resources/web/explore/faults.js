// The faults of a running proxy by direction: sliders and numbers that change them, and counts.

import { find } from '../map/page.js';

/** @typedef {{ name: string, max: number, unit: string }} Fault */
/** @typedef {{ sent: number, lost: number, overflowed: number, duplicated: number, reordered: number }} Counts */
/** @typedef {{ faults: Fault[], up: Record<string, number>, down: Record<string, number>, upCount: Counts, downCount: Counts, clients: number, missed: number }} FaultState */

/** Maxima of the sliders; a number can be higher. @type {Record<string, number>} */
const SLIDER_MAX = { delay: 500, jitter: 500, loss: 50, duplicate: 50, reorder: 50, rate: 500 };
/** A change is sent when a slider has rested for this time, milliseconds. */
const SEND_DELAY = 120;
/** @type {('up' | 'down')[]} */
const WAYS = ['up', 'down'];
const WORDS = { up: 'to the server', down: 'to the clients' };

export class Faults {
  /** @type {FaultState | null} */
  state = null;
  /** @type {Record<string, HTMLInputElement[]>} */
  #inputs = {};
  /** Changes that are not sent yet, by direction and fault. @type {Map<string, string>} */
  #changes = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #sending = false;
  #onChanged;

  /** @param {() => void} onChanged called with each new state */
  constructor(onChanged) {
    this.#onChanged = onChanged;
    find('faults-off').addEventListener('click', () => {
      this.#changes.clear();
      this.#send('off');
    });
  }

  /** Loads the present state. @param {boolean} [all] also replaces what the user has typed */
  async refresh(all = false) {
    const answer = await fetch('faults');
    if (!answer.ok) throw new Error(await answer.text());
    this.#show(await answer.json(), all);
  }

  /** @param {FaultState} state @param {boolean} [all] also replaces what the user has typed */
  #show(state, all = false) {
    if (!this.state) find('faults-table').replaceChildren(...state.faults.map(fault => this.#row(fault)));
    this.state = state;
    for (const way of WAYS) {
      for (const { name } of state.faults) {
        for (const input of this.#inputs[way + ' ' + name]) {
          // What the user is changing is not replaced.
          const changing = this.#sending || this.#changes.has(way + ' ' + name) || (input.type === 'number' && input === document.activeElement);
          if (all || !changing) input.value = String(state[way][name]);
        }
      }
      const { sent, lost, overflowed, duplicated, reordered } = state[way === 'up' ? 'upCount' : 'downCount'];
      [sent, lost, overflowed, duplicated, reordered].forEach((count, i) => find(`counts-${way}`).children[i + 1].textContent = count.toLocaleString('en'));
    }
    this.#onChanged();
  }

  /** @param {Fault} fault */
  #row({ name, max, unit }) {
    const row = document.createElement('tr'), head = document.createElement('th');
    head.scope = 'row';
    head.textContent = `${name}, ${unit}`;
    row.append(head);
    for (const way of WAYS) {
      const cell = document.createElement('td'), slider = document.createElement('input'), number = document.createElement('input');
      slider.type = 'range';
      slider.max = String(Math.min(max, SLIDER_MAX[name] ?? max));
      slider.step = unit === 'percent' ? '0.5' : '1';
      number.type = 'number';
      number.min = '0';
      number.max = String(max);
      number.step = 'any';
      for (const input of [slider, number]) {
        input.name = way + ' ' + name;
        input.setAttribute('aria-label', `${name} ${WORDS[way]}, ${unit}`);
        input.addEventListener('input', () => this.#change(input));
      }
      this.#inputs[way + ' ' + name] = [slider, number];
      cell.append(slider, number);
      row.append(cell);
    }
    return row;
  }

  /** @param {HTMLInputElement} input */
  #change(input) {
    for (const other of this.#inputs[input.name]) if (other !== input) other.value = input.value;
    if (input.value === '') return;
    this.#changes.set(input.name, input.value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sendChanges(), SEND_DELAY);
  }

  async #sendChanges() {
    for (const [name, value] of [...this.#changes]) {
      this.#changes.delete(name);
      await this.#send(`${name}=${value}`);
    }
  }

  /** @param {string} line */
  async #send(line) {
    this.#sending = true;
    let problem = '';
    try {
      const answer = await fetch('faults', { method: 'POST', body: line });
      this.#sending = false;
      if (answer.ok) this.#show(await answer.json());
      else problem = await answer.text();
    } catch {
      problem = 'the proxy does not answer';
    }
    this.#sending = false;
    find('faults-problem').textContent = problem;
    if (problem) await this.refresh(true).catch(() => {});
  }
}
