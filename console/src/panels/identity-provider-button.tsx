import type { IdentityProvider } from '@trunkline/contract/shapes/registration'
import { useEffect, useState } from 'react'
import { prepareAuthorization, type PathBeforeOauth } from '../session/oauth'
import { Button } from '../ui/button'
import { IdentityProviderLogo } from './identity-provider-logo'

export interface IdentityProviderButtonProps {
  provider: IdentityProvider
  pathBeforeOauth: PathBeforeOauth
  label: string
  variant?: 'plain' | 'primary'
  /** Why the user cannot continue yet: the id of the text. The button then calls `onRefuse` instead. */
  refusalId?: string
  /** Returns true if the user may not continue yet. */
  onRefuse?: () => boolean
}

/** Opens the page of an identity provider. */
export const IdentityProviderButton = ({
  provider,
  pathBeforeOauth,
  label,
  variant,
  refusalId,
  onRefuse,
}: IdentityProviderButtonProps) => {
  const [isPending, setIsPending] = useState(false)
  useEffect(() => {
    // the browser may show this page again, as it was, when the user returns with the Back button
    const reset = ({ persisted }: PageTransitionEvent) => persisted && setIsPending(false)
    window.addEventListener('pageshow', reset)
    return () => window.removeEventListener('pageshow', reset)
  }, [])
  const open = async () => {
    if (onRefuse?.()) return
    setIsPending(true)
    window.location.assign(await prepareAuthorization(provider, pathBeforeOauth))
  }
  return (
    <Button
      size="lg"
      block
      variant={variant}
      pending={isPending}
      aria-disabled={refusalId ? true : undefined}
      aria-describedby={refusalId}
      onClick={() => void open()}
    >
      <IdentityProviderLogo provider={provider} />
      {label}
    </Button>
  )
}
