package dev.wishdir.quake2.message;

import java.util.Map;

/** A message of protocol 34, without the byte that numbers it. */
public sealed interface Quake2Message permits ClientMessage, ServerMessage {
    /** The message's name in its protocol, without {@code svc_} and {@code clc_}. */
    String label();

    /** What the message says by name, in raw wire units, for the inspector. */
    Map<String, ?> fields();
}
