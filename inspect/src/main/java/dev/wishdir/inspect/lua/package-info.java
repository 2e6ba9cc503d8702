/** A dissector for Wireshark in Lua, translated from the walks of messages. */
@NullMarked
package dev.wishdir.inspect.lua;

import org.jspecify.annotations.NullMarked;
