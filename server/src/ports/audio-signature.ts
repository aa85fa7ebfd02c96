import type { RecordFormat } from '@trunkline/contract/calls/recording'

const toLatin1 = (firstBytes: Uint8Array) => String.fromCharCode(...firstBytes.subarray(0, 12))

/** Checks by format: whether a file with these first 12 bytes is a WAV or MP3 file. */
export const hasFormat: Record<RecordFormat, (firstBytes: Uint8Array) => boolean> = {
  wav: (firstBytes) => /^RIFF[^]{4}WAVE/.test(toLatin1(firstBytes)),
  // An ID3 tag, or the sync bits of an MPEG layer III frame.
  mp3: (firstBytes) =>
    toLatin1(firstBytes).startsWith('ID3') || (firstBytes[0] === 0xff && (firstBytes[1]! & 0xe6) === 0xe2),
}

/** Formats that other writers of a bucket use: MPEG audio of any layer, RF64, Ogg, FLAC, AU and MP4. */
const otherSignatures = [/^\xff[\xe0-\xff]/, /^RF64[^]{4}WAVE/, /^OggS/, /^fLaC/, /^\.snd/, /^[^]{4}ftyp/]

/** Whether a file with these first 12 bytes is an audio file. */
export const isAudio = (firstBytes: Uint8Array): boolean =>
  Object.values(hasFormat).some((matches) => matches(firstBytes)) ||
  otherSignatures.some((signature) => signature.test(toLatin1(firstBytes)))
