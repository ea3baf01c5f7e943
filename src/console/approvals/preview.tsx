import { isPictureUrl, Picture } from '../elements/picture.tsx';
import type { ApprovalItem } from './documents.ts';
import { nameOf, titleOf } from './texts.ts';

/** The item as the public will see it, and the version that it replaces. */
export function Preview({ item }: { item: ApprovalItem }) {
  switch (item.__typename) {
    case 'Sponsor':
      return (
        <div class="preview">
          <h3>{item.title}</h3>
          {item.description && <p class="written">{item.description}</p>}
          {item.url && <ExternalLink url={item.url} />}
          <ul class="logos">
            {(item.images?.nodes ?? []).map(({ id, url, color, approval }) => (
              <li key={id}>
                <SubmittedPicture url={url} text={`Image of ${item.title}`} className={`logo ${color ?? ''}`} />
                {approval.state !== 'APPROVED' && <span class="quiet small">Not approved yet</span>}
              </li>
            ))}
          </ul>
        </div>
      );
    case 'SponsorImage':
      return (
        <div class="preview">
          <SubmittedPicture url={item.url} text={titleOf(item)} className={`logo ${item.color ?? ''}`} />
        </div>
      );
    case 'UserImage':
      return (
        <div class="preview">
          <SubmittedPicture url={item.url} text={titleOf(item)} className={item.type.toLowerCase()} />
          {item.type === 'PROFILE' && (
            <p>
              <strong>{nameOf(item.user)}</strong>
            </p>
          )}
          {item.type === 'PROFILE' && item.user?.imageUrl && item.user.imageUrl !== item.url && (
            <details>
              <summary>Current profile image</summary>
              <SubmittedPicture
                url={item.user.imageUrl}
                text={`Current profile image of ${nameOf(item.user)}`}
                className="profile"
              />
            </details>
          )}
        </div>
      );
    case 'Biography':
      return (
        <div class="preview">
          <h3>{nameOf(item.user)}</h3>
          <p class="written">{item.text}</p>
          {item.user?.biography && item.user.biography.id !== item.id && (
            <details>
              <summary>Current biography</summary>
              <p class="written">{item.user.biography.text}</p>
            </details>
          )}
        </div>
      );
  }
}

const isWebUrl = (url: string): boolean => /^https?:/.test(url);

/**
 * Link to a page that users have submitted. It opens in another tab, which gets neither the URL of the console nor access to its window.
 */
const ExternalLink = ({ url }: { url: string }) =>
  isWebUrl(url) ? (
    <p>
      <a href={url} target="_blank" rel="noreferrer noopener">
        {url}
        <span class="hidden"> (opens in a new tab)</span>
      </a>
    </p>
  ) : (
    <p>{url}</p>
  );

interface SubmittedPictureProps {
  readonly url: string | null;
  readonly text: string;
  readonly className: string;
}

/** Image that users have submitted. If it cannot be loaded, its URL is shown instead. */
function SubmittedPicture({ url, text, className }: SubmittedPictureProps) {
  if (!url) return <p class="alarm">This item has no image.</p>;
  const fallback = (
    <div class="alarm">
      <p>{isPictureUrl(url) ? 'The image could not be loaded.' : 'The image cannot be shown. Its URL must start with https.'}</p>
      <p class="small">
        <code>{url.slice(0, 200)}</code>
      </p>
    </div>
  );
  return <Picture {...{ url, text, className, fallback }} />;
}
