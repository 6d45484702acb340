// Projects and their repositories. The first repositories belong to the launches, in the same order, the next ones to
// the contest entries; the rest belong to neither.
import { cast, lighthouse } from './cast.ts';
import type { Contests } from './contests.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, nth } from './parts.ts';
import type { People } from './people.ts';
import type { Domain } from './text/domain.ts';
import { productWords } from './text/domain.ts';
import { domainsOne } from './text/domains-one.ts';
import { domainsTwo } from './text/domains-two.ts';
import { capital } from './text/fill.ts';
import { plain } from './text/names.ts';

const domains: readonly Domain[] = [...domainsOne, ...domainsTwo];
const byKey = new Map(domains.map((domain) => [domain.key, domain]));
const slugs = new Map(
  [...productWords, ...domains.flatMap(({ seconds }) => seconds)].map((word) => [word, plain(word)] as const),
);
const partSlugs = new Map(domains.flatMap(({ parts }) => parts).map((part) => [part, plain(part.slice(4))] as const));
const kinds = ['app', 'app', 'app', 'sdk', 'part', 'docs', 'contracts'] as const;

export interface Project {
  domain: Domain;
  name: string;
  slug: string;
  whom: string;
  does: string;
}

export interface RepositoryName {
  platform: string;
  owner: string;
  name: string;
}

interface Repository extends RepositoryName {
  project: Project;
  kind: (typeof kinds)[number];
  part: string;
  /** Offsets from now in milliseconds: first and last commit. */
  created: number;
  pushed: number;
}

export interface Projects {
  of: (n: number) => Project;
  repository: (n: number) => Repository;
}

/** The URL of a repository. */
export const codeUrl = ({ platform, owner, name }: RepositoryName): string =>
  `https://${platform}.example/${owner}/${name}`;

export const projectsOf = (
  { scale, draws, shift }: Parts,
  people: People,
  contests: Contests,
  launches: LaunchFacts,
): Projects => {
  const projectDraw = draws('projects');
  const domainOf = (n: number): Domain => {
    if (n === 0) return byKey.get('infrastructure') ?? nth(domains, 0);
    const entry = n - scale.launches;
    const key = entry >= 0 && entry < scale.entries ? contests.entry(entry).domain : '';
    return byKey.get(key) ?? nth(domains, n * 5 + Math.floor(n / domains.length) + shift);
  };
  const of = (n: number): Project => {
    const draw = projectDraw(n);
    const domain = domainOf(n);
    const [first, second] = [nth(productWords, n * 37 + shift), draw.pick(domain.seconds)];
    return {
      domain,
      name: n === 0 ? lighthouse.name : `${first} ${second}`,
      slug: n === 0 ? cast.launch : `${slugs.get(first)}-${slugs.get(second)}`,
      whom: draw.pick(domain.whom),
      does: draw.pick(domain.does),
    };
  };
  const repositoryDraw = draws('repository facts');
  const repository = (n: number): Repository => {
    const draw = repositoryDraw(n);
    const project = of(n);
    const entry = n - scale.launches;
    const isLaunch = entry < 0;
    const isEntry = !isLaunch && entry < scale.entries;
    const drawnAge = (30 + draw.below(1500)) * dayMs;
    const facts = isEntry ? contests.entry(entry) : null;
    const published = isLaunch ? launches.published(n) : 0;
    const created = isLaunch
      ? published - (20 + draw.below(400)) * dayMs
      : facts !== null
        ? facts.created - (1 + draw.below(30)) * dayMs
        : -drawnAge;
    // The last push is not before the launch or the entry.
    const atLeast = isLaunch ? published : (facts?.created ?? created);
    const pushed = Math.round(atLeast * draw.unit());
    const platform = n === 0 || draw.chance(0.85) ? 'github' : 'gitlab';
    const kind = isLaunch || isEntry ? 'app' : draw.pick(kinds);
    const part = draw.pick(project.domain.parts);
    const owner = () => {
      if (isLaunch) return people.username(launches.submitter(n));
      if (facts !== null) return people.username(facts.user);
      return draw.chance(0.5)
        ? people.username(draw.below(scale.users))
        : people.sponsorSlug(draw.popular(scale.sponsors));
    };
    const names = {
      app: project.slug,
      sdk: `${project.slug}-sdk`,
      part: `${project.slug}-${partSlugs.get(part)}`,
      docs: `${project.slug}-docs`,
      contracts: `${project.slug}-contracts`,
    };
    return { platform, owner: owner(), name: names[kind], project, kind, part, created, pushed };
  };
  return { of, repository };
};

export const makeRepositories = (parts: Parts, known: Projects): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at } = parts;
  const describe = ({ project, kind, part }: Repository, n: number): string => {
    const { name, domain, whom, does } = project;
    if (n === 0) return lighthouse.repository;
    const texts = {
      app: `${capital(domain.thing)} that helps ${whom} ${does}`,
      sdk: `Client library for ${name}, with examples for ${whom}`,
      part: `${capital(part)} of ${name}, as a library of its own`,
      docs: `Handbook and tutorials of ${name}`,
      contracts: `The contracts behind ${name}, with tests and audits`,
    };
    return texts[kind];
  };

  function* repositories(): Iterable<Row> {
    const drawOf = draws('repositories');
    for (let n = 0; n < scale.repositories; n++) {
      const draw = drawOf(n);
      const repository = known.repository(n);
      const { platform, owner, name, project, created, pushed } = repository;
      const isKnown = draw.chance(0.9) || n === 0;
      // Added to the catalogue some days after its creation, but not after now.
      const listed = Math.min(0, created + draw.below(30) * dayMs);
      yield {
        platform,
        platform_id: String(n + 1),
        owner,
        name,
        category: draw.chance(0.8) || n === 0 ? project.domain.category : null,
        ecosystem: draw.chance(0.7) || n === 0 ? draw.pick(project.domain.ecosystems) : null,
        description: draw.chance(0.8) || n < scale.launches ? describe(repository, n) : null,
        importance: draw.chance(0.6) ? draw.pick(['high', 'medium', 'low']) : null,
        status: draw.pick(['ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST', 'ARCHIVED']),
        contributors_count: 1 + draw.popular(n < scale.launches + scale.entries ? 12 : 400),
        platform_created_at: isKnown ? at(created) : null,
        platform_updated_at: isKnown ? at(pushed) : null,
        platform_pushed_at: isKnown ? at(pushed) : null,
        created_at: at(listed),
        updated_at: at(Math.round(listed * draw.unit())),
      };
    }
  }

  return { repositories };
};
