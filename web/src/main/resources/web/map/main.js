// The page of the live map.

import { boards } from './board.js';
import { match } from './match.js';
import { Feed } from './feed.js';
import { side } from './side.js';
import { failures, find, help } from './page.js';
import { more, publish, Stage } from './stage.js';

failures(text => {
  find('state').textContent = text;
  find('state').classList.add('lost');
});

const feed = new Feed();
const stage = new Stage(feed, name => 'scene/' + encodeURIComponent(name));
const table = side(feed, id => stage.follow(id));
boards(feed, id => stage.follow(id));
match(feed);
stage.onFollow = id => table.mark(id);

function state() {
  const words = { connecting: 'connecting …', live: 'live', lost: 'Connection lost, reconnecting …' };
  find('state').textContent = words[feed.state];
  find('state').classList.toggle('lost', feed.state === 'lost');
}

feed.addEventListener('state', state);
state();
more();
help();
publish(stage.published(), {
  get state() { return feed.state; },
  /** The drawn time on the clock of this machine, in milliseconds since 1970. */
  get wall() { return performance.timeOrigin + stage.time - (feed.ahead ?? 0); },
  get bytes() { return feed.bytes; },
  get match() { return feed.match; },
  get pictures() { return feed.pictures; },
});
stage.begin();
