package dev.wishdir.bedrock.server;

/** Counts what clients sent and the server dropped. */
@FunctionalInterface
interface DropCounter {
    /**
     * @param reason the last part of the counter's name
     */
    void count(String reason);
}
