import { useMutation } from '@tanstack/react-query'
import type { StoredRecording } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import { Download } from 'lucide-react'
import { featureFlags } from '../../../lib/feature-flags'
import { saveFile, saveLink } from '../../../lib/save-file'
import { Button } from '../../../ui/button'
import css from './player.module.css'
import { fetchFile, signSound, type Sound } from './sound'

/** By what comes, not by what the address says: a server may keep something else than it was asked to. */
const endingOf = (type: string) => (/wav/i.test(type) ? 'wav' : 'mp3')

/** A file from another origin would be opened instead of saved, whatever name is given to it. */
const isOwnOrigin = () => featureFlags().apiBaseUrl.startsWith('/')

/** Saves a recording. One that may be long goes from the server to the disk, and is not gathered here. */
export const DownloadRecording = ({
  stored,
  call_sid,
  sound,
}: {
  stored: StoredRecording
  call_sid: string
  sound: Sound
}) => {
  const saving = useMutation({
    mutationFn: async () => {
      const nameOf = (type: string) => `callid-${call_sid}.${endingOf(type)}`
      if ('file' in sound.from) return saveFile(sound.from.file, nameOf(sound.type))
      if (!isOwnOrigin()) return saveFile(await fetchFile(stored), nameOf(sound.type))
      const { address, type } = await signSound(stored)
      return saveLink(featureFlags().apiBaseUrl + address, nameOf(type))
    },
  })
  return (
    <Button icon={Download} size="sm" look="quiet" pending={saving.isPending} onClick={() => saving.mutate()}>
      <span className={css.words}>{messages.download}</span>
    </Button>
  )
}
