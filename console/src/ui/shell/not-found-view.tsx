import { SearchX } from 'lucide-react'
import { ButtonLink } from '../button'
import { ScreenLayout } from './screen-layout'
import { EmptyState } from '../feedback/empty-state'

export interface NotFoundViewProps {
  /** The h1 of the screen. */
  title: string
  /** Message that names the missing screen or record. */
  message: string
  href: string
  linkLabel: string
}

/** A missing screen or record, with a link back. */
export const NotFoundView = ({ title, message, href, linkLabel }: NotFoundViewProps) => (
  <ScreenLayout title={title}>
    <EmptyState icon={SearchX} title={message}>
      <ButtonLink href={href}>{linkLabel}</ButtonLink>
    </EmptyState>
  </ScreenLayout>
)
