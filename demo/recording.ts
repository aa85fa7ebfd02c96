import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Call } from './calls'
import type { Turn } from './trace'

const sampleRate = 8000
/** Samples per message: a fifth of a second. */
const samplesPerMessage = sampleRate / 5

/** A synthetic voice without words: a hum with overtones that rises and falls like syllables. From -1 to 1. */
const voiceSample = (seconds: number, pitch: number): number => {
  const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.7 * seconds)) ** 0.6
  const breath = 0.75 + 0.25 * Math.sin(2 * Math.PI * 0.45 * seconds)
  const glide = pitch * (1 + 0.06 * Math.sin(2 * Math.PI * 0.8 * seconds))
  const tone = [1, 0.6, 0.35, 0.2, 0.12].reduce(
    (sum, share, harmonic) => sum + share * Math.sin(2 * Math.PI * glide * (harmonic + 1) * seconds),
    0,
  )
  return (tone / 2.3) * syllable * breath
}

/** Returns a section of a conversation as interleaved 16-bit samples in two channels, the caller's first. */
const conversationAudio = (turns: readonly Turn[], firstSample: number, sampleCount: number): Buffer => {
  const bytes = Buffer.alloc(sampleCount * 4)
  for (let sample = 0; sample < sampleCount; sample += 1) {
    const seconds = (firstSample + sample) / sampleRate
    const turn = turns.find((candidate) => seconds >= candidate.fromSeconds && seconds < candidate.toSeconds)
    const level = turn ? voiceSample(seconds - turn.fromSeconds, turn.speaker === 'caller' ? 128 : 196) * 9000 : 0
    // real lines always have some noise
    const hiss = ((sample * 7919) % 31) - 15
    bytes.writeInt16LE(Math.round((turn?.speaker === 'caller' ? level : 0) + hiss), sample * 4)
    bytes.writeInt16LE(Math.round((turn?.speaker === 'machine' ? level : 0) + hiss), sample * 4 + 2)
  }
  return bytes
}

/** Streams the audio of a call like a voice server. Returns the path of the recording in the API. */
export const streamRecording = async (
  url: string,
  key: string,
  call: Call,
  turns: readonly Turn[],
): Promise<string> => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/record/`, { headers: { authorization: `Bearer ${key}` } })
  await once(socket, 'open')
  const { account_sid, call_sid } = call
  socket.send(
    JSON.stringify({
      sampleRate,
      accountSid: account_sid,
      callSid: call_sid,
      direction: call.direction,
      from: call.from,
      to: call.to,
      callId: call.sip_callid,
      applicationSid: call.application_sid,
      originatingSipIp: call.gateway,
      originatingSipTrunkName: call.trunk,
    }),
  )
  const sampleCount = call.durationSeconds * sampleRate
  for (let firstSample = 0; firstSample < sampleCount; firstSample += samplesPerMessage)
    socket.send(conversationAudio(turns, firstSample, Math.min(samplesPerMessage, sampleCount - firstSample)))
  const closed = once(socket, 'close')
  socket.close()
  await closed
  const now = new Date()
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const day = [now.getFullYear(), twoDigits(now.getMonth() + 1), twoDigits(now.getDate())].join('/')
  return `/Accounts/${account_sid}/RecentCalls/${call_sid}/record/${day}/wav`
}
