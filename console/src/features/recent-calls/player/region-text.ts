import { formatDurationMs } from '../trace/model/time-scale'
import type { Region } from './model/regions'
import { messages } from '@trunkline/contract/messages/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { WaveformMark } from '../../../ui/chart/waveform'
import { formatPhoneNumber } from '../../../lib/phone-number'
import { formatPlaybackTime } from './use-audio'

const formatSeconds = (seconds: number) => formatDurationMs(seconds * 1000)

/** Returns the label above a region. */
const getLabel = ({ event, isLatency }: Region): string => {
  if (event.kind === 'dtmf') return event.dtmf
  if (event.kind === 'stt' && !isLatency) return event.transcript
  return event.latencySeconds === undefined ? '' : formatSeconds(event.latencySeconds)
}

export const toWaveformMark = (region: Region): WaveformMark => ({
  id: region.id,
  tone: region.event.kind,
  wait: region.event.kind === 'stt' && region.isLatency,
  start: region.start,
  end: region.end,
  channel: region.channel,
  text: getLabel(region),
  label: messages.eventLabel(
    messages.kinds[region.event.kind],
    formatPlaybackTime(Math.max(0, region.start)),
    getLabel(region),
  ),
})

/** Returns the known details of a region as pairs of a name and a value. */
export const getRegionDetails = ({ event }: Region): [string, string][] => {
  const pairs = (): [string, string | undefined][] => {
    switch (event.kind) {
      case 'stt':
        return [
          ['Vendor', event.vendor],
          ['Confidence', event.confidence?.toString()],
          ['Language code', event.language],
          ['Transcript', event.transcript],
          ['Latency', event.latencySeconds === undefined ? undefined : `${event.latencySeconds.toFixed(2)} s`],
        ]
      case 'dtmf':
        return [
          ['Dtmf', event.dtmf],
          ['Duration', event.duration],
        ]
      case 'tts':
        return [
          ['Vendor', event.vendor],
          ['Latency', formatSeconds(event.latencySeconds)],
          ['From cache', event.isCached ? 'Yes' : 'No'],
        ]
      case 'hook':
        return [
          ['Status code', String(event.status)],
          ['Latency', formatSeconds(event.latencySeconds)],
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
