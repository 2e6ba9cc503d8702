package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.inspect.capture.Captures;

import java.util.List;

/** The captures of real games. */
public final class SauerbratenCaptures {
    public static final Captures FILES = Captures.in("captures");

    public static final List<String> NAMES =
            List.of(
                    "auth-claim",
                    "auth-connect",
                    "auth-scripted-server",
                    "auth-serverauth-open",
                    "client_vanish_timeout",
                    "combat_damage",
                    "coop_edit",
                    "info_password_kick",
                    "map_change_teams",
                    "missing_map",
                    "ramp_slide",
                    "solo_walk",
                    "two_clients");

    private SauerbratenCaptures() {}
}
