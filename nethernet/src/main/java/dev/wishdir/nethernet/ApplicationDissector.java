package dev.wishdir.nethernet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.util.function.Consumer;

/** Dissector of an application's packets; one for each session of a recording. */
@FunctionalInterface
public interface ApplicationDissector {
    /**
     * Dissects a packet.
     *
     * @param datagram its time; of a recording, its frame is the number of the line
     */
    void packet(
            Datagram datagram, Direction direction, Bytes packet, Consumer<DissectedMessage> lines);
}
