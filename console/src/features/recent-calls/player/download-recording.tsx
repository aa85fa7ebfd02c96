import { useMutation } from '@tanstack/react-query'
import type { StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import { Download } from 'lucide-react'
import { getFeatureFlags } from '../../../lib/feature-flags'
import { downloadFile, downloadUrl } from '../../../lib/download-file'
import { Button } from '../../../ui/button'
import css from './player.module.css'
import { fetchFile, signRecording, type RecordingSource } from './recording-source'

/** Uses the type of the response, not the URL, because a server may store a format other than the requested one. */
const getFileExtension = (type: string) => (/wav/i.test(type) ? 'wav' : 'mp3')

/** A browser opens a file of another origin instead of saving it, even if a file name is set. */
const isApiOnSameOrigin = () => getFeatureFlags().apiBaseUrl.startsWith('/')

/**
 * Saves a recording. If possible, the browser downloads it directly, because a long recording should not be held in
 * memory.
 */
export const DownloadRecording = ({
  stored,
  call_sid,
  source,
}: {
  stored: StoredRecording
  call_sid: string
  source: RecordingSource
}) => {
  const download = useMutation({
    mutationFn: async () => {
      const createFileName = (type: string) => `callid-${call_sid}.${getFileExtension(type)}`
      if ('file' in source.playback) return downloadFile(source.playback.file, createFileName(source.type))
      if (!isApiOnSameOrigin()) return downloadFile(await fetchFile(stored), createFileName(source.type))
      const { address, type } = await signRecording(stored)
      return downloadUrl(getFeatureFlags().apiBaseUrl + address, createFileName(type))
    },
  })
  return (
    <Button
      icon={Download}
      size="sm"
      variant="borderless"
      pending={download.isPending}
      onClick={() => download.mutate()}
    >
      <span className={css.buttonLabel}>{messages.download}</span>
    </Button>
  )
}
