package dev.wishdir.quake2.message;

import java.util.Map;

/** A message of protocol 34, without its number byte; or a frame without delta coding. */
public sealed interface Quake2Message permits ClientMessage, ServerMessage, FullFrame {
    /** The protocol's name of the message, without {@code svc_} and {@code clc_}. */
    String label();

    /** The fields by name, in raw wire units, for the inspector. */
    Map<String, ?> fields();
}
