/** RakNet as an application uses it, by its public API alone. */
@NullMarked
package dev.wishdir.raknet.example;

import org.jspecify.annotations.NullMarked;
