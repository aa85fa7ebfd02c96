import type { RecordFormat } from '@trunkline/contract/calls/recording'

const textOf = (head: Uint8Array) => String.fromCharCode(...head.subarray(0, 12))

/** Do these first 12 bytes of a file begin a file of the format? */
export const isOfFormat: Record<RecordFormat, (head: Uint8Array) => boolean> = {
  wav: (head) => /^RIFF[^]{4}WAVE/.test(textOf(head)),
  // a tag before the sound, or its first frame
  mp3: (head) => textOf(head).startsWith('ID3') || (head[0] === 0xff && (head[1]! & 0xe6) === 0xe2),
}

/** Formats that other writers of a bucket use: MPEG audio of any layer, RF64, Ogg, FLAC, AU and MP4. */
const others = [/^\xff[\xe0-\xff]/, /^RF64[^]{4}WAVE/, /^OggS/, /^fLaC/, /^\.snd/, /^[^]{4}ftyp/]

/** Do these first 12 bytes of a file begin an audio file? */
export const isAudio = (head: Uint8Array): boolean =>
  Object.values(isOfFormat).some((is) => is(head)) || others.some((form) => form.test(textOf(head)))
