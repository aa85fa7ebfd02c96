/** Sound as numbers of 16 bits, one for each channel in turn. */
export interface WavForm {
  sampleRate: number
  channels: number
}

/** Bytes before the sound. */
export const headLength = 44

const sampleBytes = 2
/** What its own fields can count; longer sound says that it has this much. */
const mostCounted = 0xffffffff - headLength

/** The beginning of a WAV file that has so many bytes of sound. */
export const wavHead = ({ sampleRate, channels }: WavForm, soundBytes: number): Buffer => {
  const counted = Math.min(soundBytes, mostCounted)
  const frame = channels * sampleBytes
  const head = Buffer.alloc(headLength)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(counted + headLength - 8, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(sampleRate * frame, 28)
  head.writeUInt16LE(frame, 32)
  head.writeUInt16LE(sampleBytes * 8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(counted, 40)
  return head
}

/** The form of a file that `wavHead` began; undefined for any other. */
export const formIn = (head: Buffer): WavForm | undefined => {
  if (head.length < headLength) return undefined
  const form = { channels: head.readUInt16LE(22), sampleRate: head.readUInt32LE(24) }
  const same = wavHead(form, head.readUInt32LE(40))
  return form.channels > 0 && form.sampleRate > 0 && same.equals(head.subarray(0, headLength)) ? form : undefined
}
