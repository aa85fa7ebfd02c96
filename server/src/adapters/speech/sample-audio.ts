import recording from './sample-audio.json'

/** A WAV file in which somebody says hello, for recognition tests. */
export const sampleWav: Buffer = Buffer.from(recording.wav, 'base64')

/** Its samples without the header: 16 bits, 8 kHz. */
export const sampleAudio: Buffer = sampleWav.subarray(44)

/** The WAV file for form uploads. */
export const sampleFile = (): File => new File([new Uint8Array(sampleWav)], 'hello.wav', { type: 'audio/wav' })
