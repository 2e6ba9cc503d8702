/**
 * The proxy that terminates both sides of a session: it decrypts, shows and may change what client
 * and server send. Uses protocol and message.
 */
@NullMarked
package dev.wishdir.bedrock.proxy;

import org.jspecify.annotations.NullMarked;
