import recording from './sample-audio.json'

/** A WAV file with a spoken greeting, for recognition tests. */
export const sampleWav: Buffer = Buffer.from(recording.wav, 'base64')

/** Its samples without the header: 16 bits, 8 kHz. */
export const sampleAudio: Buffer = sampleWav.subarray(44)

/** Creates the WAV file as a form field. */
export const createSampleFile = (): File => new File([new Uint8Array(sampleWav)], 'hello.wav', { type: 'audio/wav' })
