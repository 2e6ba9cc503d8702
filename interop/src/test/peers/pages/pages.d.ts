/** The pages' copy of three.js, which the build takes out of its WebJar. */
declare module '*/lib/three.module.min.js' {
  export * from 'three';
}

/** What the page of a load has before its own script. */
declare const uPlot: typeof import('uplot');

/** The pages' zstd, which the build takes out of the same WebJar. */
declare module '*/lib/zstddec.module.js' {
  export class ZSTDDecoder {
    init(): Promise<void>;
    decode(data: Uint8Array, size?: number): Uint8Array;
  }
}
