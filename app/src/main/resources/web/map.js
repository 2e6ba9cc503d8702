'use strict';

// One metre is one map unit: x east, y north. Names are only ever set as text, never as markup.
const map = L.map('map', { crs: L.CRS.Simple, minZoom: 0, maxZoom: 6, zoomSnap: 0.25, attributionControl: false });
const markers = new Map();
const list = document.getElementById('players');
const state = document.getElementById('state');
let walls = null;

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text || '';
  return made;
}

function arrow(player) {
  const icon = element('div', player.game);
  icon.innerHTML = '<svg width="22" height="22" viewBox="-11 -11 22 22"><path d="M10 0 L-7 -7 L-3 0 L-7 7 Z" fill="currentColor"/></svg>';
  return L.divIcon({ className: 'arrow', iconSize: [22, 22], html: icon });
}

function show(snapshot) {
  const [west, south, east, north] = snapshot.bounds;
  const bounds = L.latLngBounds([south, west], [north, east]);
  if (!walls) {
    walls = L.rectangle(bounds, { color: '#3b4a5a', weight: 2, fill: false, interactive: false }).addTo(map);
    map.fitBounds(bounds);
  } else if (!walls.getBounds().equals(bounds)) {
    walls.setBounds(bounds);
    map.fitBounds(bounds);
  }
  const here = new Set();
  list.replaceChildren();
  for (const player of snapshot.players) {
    const row = element('li', '');
    row.append(element('span', 'dot ' + player.game), element('span', 'name', player.name));
    row.append(element('span', '', player.position ? player.position.map(v => v.toFixed(1)).join('  ') : 'watching'));
    list.append(row);
    if (!player.position) continue;
    here.add(player.id);
    const at = [player.position[1], player.position[0]];
    let marker = markers.get(player.id);
    if (!marker) {
      marker = L.marker(at, { icon: arrow(player), interactive: false }).addTo(map);
      marker.bindTooltip(element('span', player.game, player.name), { permanent: true, direction: 'top', offset: [0, -8] });
      markers.set(player.id, marker);
    }
    marker.setLatLng(at);
    marker.getElement().querySelector('svg').style.transform = 'rotate(' + -player.yaw + 'deg)';
  }
  for (const [id, marker] of markers) {
    if (!here.has(id)) {
      marker.remove();
      markers.delete(id);
    }
  }
  state.textContent = snapshot.players.length + ' players';
}

function connect() {
  const socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + '/live');
  socket.onmessage = message => {
    socket.send('seen');
    show(JSON.parse(message.data));
  };
  socket.onclose = () => {
    state.textContent = 'the server is gone; trying again …';
    setTimeout(connect, 2000);
  };
}

map.setView([0, 0], 2);
connect();
