import { formatDurationMs } from '../trace/model/time-scale'
import type { Region } from './model/regions'
import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { WaveformMark } from '../../../ui/chart/waveform'
import { formatPhoneNumber } from '../../../lib/phone-number'
import { formatPlaybackTime } from './use-audio'

const formatSeconds = (seconds: number) => formatDurationMs(seconds * 1000)

/** Returns the label above a region. */
const getLabel = ({ facts, isLatency }: Region): string => {
  if (facts.kind === 'dtmf') return facts.dtmf
  if (facts.kind === 'stt' && !isLatency) return facts.transcript
  return facts.latency === undefined ? '' : formatSeconds(facts.latency)
}

export const toWaveformMark = (region: Region): WaveformMark => ({
  id: region.id,
  tone: region.facts.kind,
  wait: region.facts.kind === 'stt' && region.isLatency,
  start: region.start,
  end: region.end,
  channel: region.channel,
  text: getLabel(region),
  label: messages.eventLabel(
    messages.kinds[region.facts.kind],
    formatPlaybackTime(Math.max(0, region.start)),
    getLabel(region),
  ),
})

/** Returns the known facts of a region as pairs of a name and a value. */
export const getRegionDetails = ({ facts }: Region): [string, string][] => {
  const pairs = (): [string, string | undefined][] => {
    switch (facts.kind) {
      case 'stt':
        return [
          ['Vendor', facts.vendor],
          ['Confidence', facts.confidence?.toString()],
          ['Language code', facts.language],
          ['Transcript', facts.transcript],
          ['Latency', facts.latency === undefined ? undefined : `${facts.latency.toFixed(2)} s`],
        ]
      case 'dtmf':
        return [
          ['Dtmf', facts.dtmf],
          ['Duration', facts.duration],
        ]
      case 'tts':
        return [
          ['Vendor', facts.vendor],
          ['Latency', formatSeconds(facts.latency)],
          ['From cache', facts.cached ? 'Yes' : 'No'],
        ]
      case 'hook':
        return [
          ['Status code', String(facts.status)],
          ['Latency', formatSeconds(facts.latency)],
        ]
    }
  }
  return pairs().filter((pair): pair is [string, string] => Boolean(pair[1]))
}

/**
 * Returns the party on each channel. The first channel is the leg of the call itself: the caller of an inbound call, or
 * the called party of an outbound call.
 */
export const getSpeakers = ({ direction, from, to }: RecentCall): { name: string; number: string }[] => {
  const caller = { name: messages.caller, number: formatPhoneNumber(from ?? '') }
  const callee = { name: messages.callee, number: formatPhoneNumber(to ?? '') }
  return direction === 'outbound' ? [callee, caller] : [caller, callee]
}
