/**
 * RakNet as a library: connections over UDP that carry messages whole, reliably or not, in order or
 * not. The listening side, the connecting side and an explainer of captures; no word of a game.
 * What an application may choose is in {@link dev.wishdir.raknet.RakNetSettings}. Uses wire and
 * net.
 */
@NullMarked
package dev.wishdir.raknet;

import org.jspecify.annotations.NullMarked;
