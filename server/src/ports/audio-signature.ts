import type { RecordFormat } from '@trunkline/contract/calls/recording'

const textOf = (firstBytes: Uint8Array) => String.fromCharCode(...firstBytes.subarray(0, 12))

/** Whether a file with these first 12 bytes has the format. */
export const isOfFormat: Record<RecordFormat, (firstBytes: Uint8Array) => boolean> = {
  wav: (firstBytes) => /^RIFF[^]{4}WAVE/.test(textOf(firstBytes)),
  // An ID3 tag, or the first frame.
  mp3: (firstBytes) =>
    textOf(firstBytes).startsWith('ID3') || (firstBytes[0] === 0xff && (firstBytes[1]! & 0xe6) === 0xe2),
}

/** Formats that other writers of a bucket use: MPEG audio of any layer, RF64, Ogg, FLAC, AU and MP4. */
const otherSignatures = [/^\xff[\xe0-\xff]/, /^RF64[^]{4}WAVE/, /^OggS/, /^fLaC/, /^\.snd/, /^[^]{4}ftyp/]

/** Whether a file with these first 12 bytes is an audio file. */
export const isAudio = (firstBytes: Uint8Array): boolean =>
  Object.values(isOfFormat).some((hasFormat) => hasFormat(firstBytes)) ||
  otherSignatures.some((signature) => signature.test(textOf(firstBytes)))
