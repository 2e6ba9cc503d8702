package dev.wishdir.record.message;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;

import java.io.IOException;

/**
 * Parser of messages from a file, whose memory is bounded before an object is made: an empty
 * element of two bytes becomes an object of hundreds. Unknown fields are not kept.
 */
final class BoundedParser<M extends Message> {
    private final Parser<M> parser;
    private final int maxFields;

    /**
     * @param maxFields of the message itself, the elements of its lists counted one by one;
     *     messages inside of it may have no lists
     */
    BoundedParser(Parser<M> parser, int maxFields) {
        this.parser = DiscardUnknownFieldsParser.wrap(parser);
        this.maxFields = maxFields;
    }

    /**
     * Reads a message.
     *
     * @throws InvalidProtocolBufferException if it is malformed or has more fields than allowed
     */
    M parse(byte[] data, int offset, int length) throws InvalidProtocolBufferException {
        CodedInputStream in = CodedInputStream.newInstance(data, offset, length);
        try {
            int fields = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (++fields > maxFields) {
                    throw new InvalidProtocolBufferException(
                            "more fields than the " + maxFields + " allowed");
                }
                if (!in.skipField(tag)) {
                    throw new InvalidProtocolBufferException("end of a group that did not begin");
                }
            }
        } catch (InvalidProtocolBufferException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidProtocolBufferException(e);
        }
        return parser.parseFrom(data, offset, length);
    }
}
