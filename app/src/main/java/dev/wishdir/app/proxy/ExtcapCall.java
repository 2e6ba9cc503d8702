package dev.wishdir.app.proxy;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The options by which Wireshark calls a capture program. */
final class ExtcapCall {
    @Option(names = "--extcap-interfaces", description = "Called by Wireshark: list interfaces.")
    boolean interfaces;

    @Option(
            names = "--extcap-version",
            arity = "0..1",
            paramLabel = "VERSION",
            fallbackValue = "",
            description = "Called by Wireshark, with its own version: print this one.")
    @Nullable String version;

    @Option(
            names = "--extcap-interface",
            paramLabel = "NAME",
            description = "Called by Wireshark: the interface of the other options.")
    String name = "";

    @Option(names = "--extcap-dlts", description = "Called by Wireshark: print the link type.")
    boolean dlts;

    @Option(names = "--extcap-config", description = "Called by Wireshark: print the settings.")
    boolean config;

    @Option(names = "--capture", description = "Called by Wireshark: capture into --fifo.")
    boolean capture;

    @Option(
            names = "--fifo",
            paramLabel = "PIPE",
            description = "Called by Wireshark: the pipe for the capture.")
    @Nullable Path fifo;

    @Option(
            names = "--extcap-capture-filter",
            paramLabel = "FILTER",
            description = "Called by Wireshark: a capture filter, which is not supported.")
    @Nullable String filter;
}
