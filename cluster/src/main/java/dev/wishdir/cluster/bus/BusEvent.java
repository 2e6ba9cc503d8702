package dev.wishdir.cluster.bus;

/** An event of a bus. */
public sealed interface BusEvent {
    /**
     * A message.
     *
     * @param replyTo where an answer is awaited; empty for none
     */
    @SuppressWarnings("ArrayRecordComponent") // It goes to the parser without a copy.
    record Received(String subject, String replyTo, byte[] data) implements BusEvent {}

    /**
     * No connected node receives the subject of a message that wanted an answer.
     *
     * @param replyTo where the answer was awaited
     */
    record NoResponders(String replyTo) implements BusEvent {}

    /**
     * The bus is connected, with all subscriptions.
     *
     * @param server its address
     */
    record Connected(String server) implements BusEvent {}

    /**
     * The bus is not connected; repeated at most each 10 s while that stays so.
     *
     * @param cause for people
     */
    record Disconnected(String cause) implements BusEvent {}
}
