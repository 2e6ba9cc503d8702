package dev.wishdir.bedrock.server.movement;

/** Counts what clients sent and the server dropped. */
@FunctionalInterface
public interface DropCounter {
    /**
     * @param reason the last part of the counter's name
     */
    void count(String reason);
}
