package dev.wishdir.wire.dissect;

import java.util.List;

/**
 * A walk that needs nothing of earlier packets, so that it can be translated for other programs.
 *
 * @param protocol its fields are of: {@code enet}
 * @param name unique among all: {@code enet}, {@code quake2_out_of_band}
 * @param type the class with the walk
 * @param method the walk: a static method whose first parameter is a wire
 * @param arguments of the other parameters
 */
public record StatelessWalk(
        String protocol, String name, Class<?> type, String method, List<Object> arguments) {
    public StatelessWalk {
        arguments = List.copyOf(arguments);
    }
}
