import { useMutation } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { synthesize } from '@trunkline/contract/resources/tts-cache'
import type { SpeechCredentialName } from '@trunkline/contract/resources/speech-credential'
import { getSampleSentence } from './sample-sentence'
import { canPreview } from './speech-selection'
import { Square, Volume2 } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { request } from '../../lib/client'
import { useCan } from '../../session/session'
import { IconButton } from '../../ui/button'
import { toast } from '../../ui/feedback/toast'
import css from './speech-preview.module.css'
import type { SpeechOwner } from './speech-catalogue'

const releaseAudio = (audio: HTMLAudioElement) => {
  audio.pause()
  URL.revokeObjectURL(audio.src)
}

/** Plays one audio clip at a time. Stops when the component is unmounted. */
const useAudioPlayer = () => {
  const [isPlaying, setIsPlaying] = useState(false)
  const audioRef = useRef<HTMLAudioElement>(null)
  const stop = () => {
    const audio = audioRef.current
    audioRef.current = null
    setIsPlaying(false)
    if (audio) releaseAudio(audio)
  }
  const play = async (audioBlob: Blob) => {
    stop()
    const audio = new Audio(URL.createObjectURL(audioBlob))
    audioRef.current = audio
    audio.onended = stop
    setIsPlaying(true)
    await audio.play().catch(() => {
      // the user stopped it before playback started
      if (audioRef.current !== audio) return
      stop()
      toast.bad(messages.playbackFailed)
    })
  }
  useEffect(
    () => () => {
      if (audioRef.current) releaseAudio(audioRef.current)
      audioRef.current = null
    },
    [],
  )
  return { isPlaying, play, stop }
}

export interface VoiceWithPreviewProps {
  /** The account that uses the voice; without one there is no preview. */
  owner: SpeechOwner
  credential: SpeechCredentialName | undefined
  language: string
  voice: string
  /** The voice field. */
  children: ReactNode
}

const PreviewButton = ({ account_sid, speech_credential_sid, language, voice }: PreviewButtonProps) => {
  const { isPlaying, play, stop } = useAudioPlayer()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      request(synthesize, {
        params: { account_sid },
        body: { speech_credential_sid, text: getSampleSentence(language), language, voice, encodingMp3: true },
      }),
  })
  return (
    <IconButton
      icon={isPlaying ? Square : Volume2}
      label={isPlaying ? 'Stop' : 'Listen'}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      onClick={() => {
        if (isPending) return
        if (isPlaying) stop()
        // `mutate` skips this callback after unmount, so a late response is not played
        else mutate(undefined, { onSuccess: (audioBlob) => void play(audioBlob) })
      }}
    />
  )
}

interface PreviewButtonProps {
  account_sid: string
  speech_credential_sid: string
  language: string
  voice: string
}

/** A voice field with a preview button, if a credential can synthesize the voice. */
export const VoiceWithPreview = ({ owner, credential, language, voice, children }: VoiceWithPreviewProps) => {
  const can = useCan()
  const { account_sid } = owner
  const canSynthesize = account_sid && voice !== '' && can('create', 'tts_cache', owner)
  // the field keeps its position in the tree when the button appears or disappears, so it keeps the focus
  return (
    <div className={css.row}>
      {children}
      {canSynthesize && credential && canPreview(credential.vendor) ? (
        <div className={css.button}>
          <PreviewButton
            // another voice gets its own player
            key={`${credential.speech_credential_sid} ${language} ${voice}`}
            account_sid={account_sid}
            speech_credential_sid={credential.speech_credential_sid}
            language={language}
            voice={voice}
          />
        </div>
      ) : null}
    </div>
  )
}
