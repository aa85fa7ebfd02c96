import recording from './hello.json'

/** Somebody says hello: a WAV file, for vendors to listen to. */
export const hello: Buffer = Buffer.from(recording.wav, 'base64')

/** The same without the head of the file: samples of 16 bits, 8000 in a second. */
export const helloSamples: Buffer = hello.subarray(44)

/** As a file of a form. */
export const helloFile = (): File => new File([new Uint8Array(hello)], 'hello.wav', { type: 'audio/wav' })
