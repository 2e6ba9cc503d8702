package dev.wishdir.record.message;

/**
 * Options of what a recording contains. Private messages and addresses of clients are never
 * recorded.
 *
 * @param nativeBytes whether movements have the bytes of their own game as well
 * @param chat whether chat lines are recorded
 * @param names whether players have their names; otherwise {@code player 7}
 * @param viewerTopics whether there are topics that Foxglove and Rerun draw without settings
 */
public record RecordingOptions(
        boolean nativeBytes, boolean chat, boolean names, boolean viewerTopics) {
    public static final RecordingOptions DEFAULT = new RecordingOptions(true, true, true, false);
}
