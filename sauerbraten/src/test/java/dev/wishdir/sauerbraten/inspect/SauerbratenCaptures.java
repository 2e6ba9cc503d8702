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
                    "ctf-coop-ents",
                    "ctf-coop-ents2",
                    "ctf-hold",
                    "ctf-insta",
                    "ctf-map-server",
                    "ctf-protect",
                    "ctf-real-client",
                    "ctf-real-getmap",
                    "ctf-real-nomap",
                    "ctf-real-refused",
                    "ctf-real-touch",
                    "ctf-rules",
                    "info_password_kick",
                    "map_change_teams",
                    "missing_map",
                    "ramp_slide",
                    "solo_walk",
                    "two_clients");

    private SauerbratenCaptures() {}
}
