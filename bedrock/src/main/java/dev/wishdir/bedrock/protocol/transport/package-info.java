/** RakNet and NetherNet behind one interface. */
@NullMarked
package dev.wishdir.bedrock.protocol.transport;

import org.jspecify.annotations.NullMarked;
