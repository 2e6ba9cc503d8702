/** Login to Bedrock: tokens, keys and accounts. */
@NullMarked
package dev.wishdir.bedrock.protocol.login;

import org.jspecify.annotations.NullMarked;
